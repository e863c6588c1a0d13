//! E-mail addresses.

use bstr::ByteSlice;

use super::Span;

/// Whether `word` is an e-mail address. Addresses in the documentation of others are none, nor is `git@github.com`, which a service
/// has.
pub fn is_address(word: &str) -> bool {
    let Some((name, host)) = word.split_once('@').filter(|(name, _)| !name.is_empty()) else { return false };
    let is_part =
        |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    let is_host = host.contains('.') && host.split('.').all(is_part);
    let is_real = !host.starts_with("example.") && !host.ends_with("noreply.github.com") && !name.contains("noreply");
    let is_name = name.bytes().all(is_of_name);
    // `git@github.com` is the address of a service, and `sdk-node@0.57.x` a version.
    let is_person = name != "git" && !host.starts_with(|c: char| c.is_ascii_digit());
    let top = host.rsplit('.').next().unwrap_or_default();
    is_name && is_host && is_real && is_person && top.len() > 1 && top.bytes().all(|byte| byte.is_ascii_alphabetic())
}

fn is_of_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"._+-".contains(&byte)
}

/// The e-mail addresses of persons in `text`, in order.
pub fn personal(text: &str) -> Vec<Span> {
    let bytes = text.as_bytes();
    let mut found: Vec<Span> = Vec::new();
    let mut passed = 0;
    for at in memchr::memchr_iter(b'@', bytes) {
        let (Some(before), Some(after)) = (bytes.get(passed..at), bytes.get(at + 1..)) else { continue };
        let name = before.iter().rev().take_while(|byte| is_of_name(**byte)).count();
        let host = after.iter().take_while(|byte| byte.is_ascii_alphanumeric() || b".-".contains(byte)).count();
        passed = at + 1;
        // What Markdown and sentences have around it.
        let word = text.get(at - name..at + 1 + host).unwrap_or_default().trim_end_matches(['.', '-']);
        let len = word.len();
        let word = word.trim_start_matches(['.', '-', '+', '_']);
        let start = at - name + (len - word.len());
        let span = Span::new(start, start + word.len());
        if is_personal(word) && !is_of_machine(bytes, span) {
            found.push(span);
        }
    }
    found
}

/// The words of addresses that do not belong to a person: `ms-breakglass@`, `support.eu@`.
const OFFICES: [&str; 70] = [
    "abuse",
    "accounts",
    "admin",
    "ajuda",
    "atendimento",
    "ayuda",
    "billing",
    "bonjour",
    "bot",
    "breakglass",
    "careers",
    "comercial",
    "community",
    "conduct",
    "contact",
    "contacto",
    "contato",
    "deploy",
    "dev",
    "email",
    "empleo",
    "enquiries",
    "example",
    "facturacion",
    "feedback",
    "financeiro",
    "foo",
    "hello",
    "help",
    "hi",
    "hola",
    "hr",
    "info",
    "jobs",
    "kontakt",
    "legal",
    "mail",
    "marketing",
    "me",
    "name",
    "news",
    "noc",
    "office",
    "ola",
    "opensource",
    "ops",
    "orders",
    "owner",
    "postmaster",
    "press",
    "presse",
    "privacy",
    "recepcion",
    "recrutement",
    "redacted",
    "root",
    "sales",
    "security",
    "service",
    "someone",
    "soporte",
    "suporte",
    "support",
    "team",
    "test",
    "user",
    "vendas",
    "ventas",
    "webmaster",
    "you",
];

/// Whether `word` is the address of a person, not of an office or an example.
fn is_personal(word: &str) -> bool {
    /// What domains end with that people make up.
    const INVENTED: [&str; 13] = [
        "example",
        "demo",
        "test",
        "dummy",
        "fake",
        "sample",
        "domain",
        "company",
        "contoso",
        "fabrikam",
        "adatum",
        "northwind",
        "wingtiptoys",
    ];
    /// What hosts end with that are in no public network.
    const LOCAL: [&str; 9] =
        ["test", "local", "localhost", "invalid", "internal", "lan", "corp", "example", "localdomain"];
    // `customer@odata.bind` is an annotation of a property.
    const ANNOTATED: [&str; 2] = ["odata.", "microsoft.dynamics."];
    // Most words with the sign are `@name`.
    if !is_address(word) {
        return false;
    }
    let lower = word.to_ascii_lowercase();
    let Some((name, host)) = lower.split_once('@') else { return false };
    let (domain, top) = host.rsplit_once('.').unwrap_or((host, ""));
    let main = domain.rsplit('.').next().unwrap_or_default();
    // `kim+test@` is that of a person.
    let own = name.split('+').next().unwrap_or_default();
    // `a@b.com`, `x@ex.com`
    let is_short = name.len() == 1 && domain == main && (main.len() == 1 || main == "ex");
    let is_invented = is_short || INVENTED.iter().any(|word| main.ends_with(word)) || main.starts_with("your");
    !own.split(['-', '_', '.']).any(|word| OFFICES.contains(&word))
        && !is_invented
        && !LOCAL.contains(&top)
        && !ANNOTATED.iter().any(|word| host.starts_with(word))
}

/// Whether the address at `span` is none of a person by what is around it: a part of the address of a machine, such as
/// `https://kim:token@host/x` or `kim@host:/srv`, or a value in data.
fn is_of_machine(bytes: &[u8], span: Span) -> bool {
    let before = bytes.get(..span.start()).unwrap_or_default();
    let after = bytes.get(span.end()..).unwrap_or_default();
    let is_after_scheme = before.ends_with(b"/") || is_home(before) || before.ends_with(b"$") || before.ends_with(b"@");
    let is_password = before.ends_with(b":") && !before.ends_with(b"mailto:");
    let is_path =
        matches!(after, [b':', next, ..] if !next.is_ascii_whitespace()) || matches!(after, [b'/' | b'@', ..]);
    // `DecidedBy=kim@team.dev`: a value in data, and not how to reach a person.
    let is_value = before.ends_with(b"By=");
    is_after_scheme || is_password || is_path || is_value
}

/// Whether a text ends with the folder that has those of the users: `C:\Users\`.
fn is_home(before: &[u8]) -> bool {
    let path = before.trim_end_with(|c| c == '\\');
    path.len() < before.len()
        && path.len().checked_sub(5).and_then(|at| path.get(at..)).is_some_and(|end| end.eq_ignore_ascii_case(b"users"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_persons() {
        for (text, expected) in [
            ("**Owner:** Kim Lee (kim@acme.io)", "kim@acme.io"),
            ("Co-authored-by: Kim <kim.lee+git@acme.co.uk>", "kim.lee+git@acme.co.uk"),
            ("[mail](mailto:Kim@acme.io), or call.", "Kim@acme.io"),
            ("Ask `kim@acme.io`.", "kim@acme.io"),
            ("kim@acme.io.", "kim@acme.io"),
            ("_kim@acme.io_", "kim@acme.io"),
            ("kim@acme.io: she knows", "kim@acme.io"),
        ] {
            let found: Vec<_> = personal(text).iter().map(|span| span.of(text)).collect();
            assert_eq!(found, [expected], "{text}");
        }
        for text in [
            "user@example.com, a@example.org and kim@mail.example.com",
            "1+kim@users.noreply.github.com, noreply@acme.io",
            "git@github.com:a/b.git, kim@host.acme.io:/srv, ssh debian@192.168.1.14",
            "https://kim:token@github.com/a/b, https://kim:$token@github.com/a, https://kim@git.acme.io/a",
            "sdk-node@0.57.x, react@19.2.4, squad@v0.4.1, @copilot, name@, @acme.io",
            "security@acme.io, info@acme.io, you@acme.io, testuser@localhost.test, agatha@ampdemo.com",
            "`\"CustomerId@odata.bind\"`, `x@OData.Community.Display.V1.FormattedValue`",
            r"C:\Users\kim.lee@acme.io\x, kim@contoso.com, REDACTED@acme.io",
            "email@domain.com, kim@company.com, kim@your-company.com, super_secret_pw@prod.example.com",
        ] {
            assert_eq!(personal(text), [], "{text}");
        }
    }
}
