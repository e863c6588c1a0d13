# The formula of a release, for a tap: `packaging/homebrew/formula.sh OWNER/REPOSITORY` fills in what stands between @.
class SquadLint < Formula
  desc "Linter for the files in which teams of AI agents keep their memory"
  homepage "https://github.com/@REPOSITORY@"
  version "@VERSION@"
  license any_of: ["MIT", "Apache-2.0"]

  on_macos do
    on_arm do
      url "https://github.com/@REPOSITORY@/releases/download/v@VERSION@/squad-lint-@VERSION@-aarch64-apple-darwin.tar.gz"
      sha256 "@aarch64-apple-darwin@"
    end
    on_intel do
      url "https://github.com/@REPOSITORY@/releases/download/v@VERSION@/squad-lint-@VERSION@-x86_64-apple-darwin.tar.gz"
      sha256 "@x86_64-apple-darwin@"
    end
  end

  on_linux do
    on_arm do
      url "https://github.com/@REPOSITORY@/releases/download/v@VERSION@/squad-lint-@VERSION@-aarch64-unknown-linux-gnu.tar.gz"
      sha256 "@aarch64-unknown-linux-gnu@"
    end
    on_intel do
      url "https://github.com/@REPOSITORY@/releases/download/v@VERSION@/squad-lint-@VERSION@-x86_64-unknown-linux-gnu.tar.gz"
      sha256 "@x86_64-unknown-linux-gnu@"
    end
  end

  def install
    bin.install "squad-lint"
    man1.install Dir["man/man1/*.1"]
    bash_completion.install "completions/squad-lint.bash" => "squad-lint"
    fish_completion.install "completions/squad-lint.fish"
    zsh_completion.install "completions/_squad-lint"
  end

  test do
    (testpath/".squad/decisions.md").write "### 2026-02-15: no entry\n"
    assert_match version.to_s, shell_output("#{bin}/squad-lint --version")
    system bin/"squad-lint", "--exit-zero"
  end
end
