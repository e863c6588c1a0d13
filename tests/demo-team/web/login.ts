export const page = "login";
