export const login = "server";
