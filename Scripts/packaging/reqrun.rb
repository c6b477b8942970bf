# The Homebrew formula, which builds from source. `make dist` fills in the words between @ and writes dist/reqrun.rb.
class Reqrun < Formula
  desc "Declarative HTTP request runner"
  homepage "@HOMEPAGE@"
  url "@SOURCE@"
  sha256 "@SHA256@"

  depends_on "pkgconf" => :build
  depends_on "curl"
  depends_on "libarchive"
  depends_on "libmicrohttpd"
  depends_on "libxml2"
  depends_on "libyaml"
  depends_on "openssl@3"
  depends_on "pcre2"

  on_macos do
    depends_on xcode: ["26.0", :build]
  end

  on_linux do
    depends_on "swift" => :build
    depends_on "zlib"
  end

  def install
    args = ["--disable-sandbox", "--configuration", "release"]
    args << "--static-swift-stdlib" if OS.linux?
    system "swift", "build", *args
    bin.install ".build/release/reqrun"
    (libexec/"reqrun").install ".build/release/reqrun-convert"
    (libexec/"reqrun").install ".build/release/reqrun-urlsession" if OS.linux?
    (man1/"reqrun.1").write Utils.safe_popen_read(bin/"reqrun", "man")
    (man5/"reqrun-format.5").write Utils.safe_popen_read(bin/"reqrun", "man", "format")
    generate_completions_from_executable(bin/"reqrun", "completions")
  end

  test do
    system bin/"reqrun", "init", "api"
    assert_match "7 passed", shell_output("#{bin}/reqrun api")
  end
end
