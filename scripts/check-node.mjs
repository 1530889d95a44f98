/** Node 24 comes with `npm ci` on Linux; elsewhere, and where that optional package is missing, the machine's own must do. */
const [major = 0] = process.versions.node.split('.').map(Number);
if (major < 24) {
  process.stderr.write(
    `drover needs Node 24, as on Lambda; this is ${process.version}. On Linux run "npm ci" (it brings one), elsewhere install Node 24.\n`,
  );
  process.exit(1);
}
