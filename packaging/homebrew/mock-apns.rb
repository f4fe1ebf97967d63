#: The formula before `make dist` fills in address, version and checksum. Its build steps are those of `make build`; the
#: formula itself has not been run on macOS, only read by Ruby.
class MockApns < Formula
  desc "Stand-in for Apple's Push Notification service, for tests"
  homepage "@HOMEPAGE@"
  url "@URL@"
  version "@VERSION@"
  sha256 "@SHA256@"
  license "Apache-2.0"

  depends_on "pkgconf" => :build
  depends_on xcode: ["26.0", :build]
  depends_on "libevent"
  depends_on "libnghttp2"
  depends_on macos: :sequoia
  depends_on "openssl@3"

  uses_from_macos "python" => :build

  def install
    system "swift", "build", "--disable-sandbox", "--configuration", "release", "--product", "mock-apns"
    bin.install ".build/release/mock-apns"
    generate_completions_from_executable(bin/"mock-apns", "completions")
    (buildpath/"mock-apns.1").write Utils.safe_popen_read("python3", "scripts/manpage.py", bin/"mock-apns")
    man1.install "mock-apns.1"
  end

  service do
    run [opt_bin/"mock-apns", "serve"]
    working_dir var/"mock-apns"
    keep_alive crashed: true
  end

  def post_install
    (var/"mock-apns").mkpath
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/mock-apns version")
    (testpath/"payload.json").write '{"aps":{"alert":"Hello"}}'
    system bin/"mock-apns", "explain", "-q", "payload.json"
  end
end
