/** `npm run real:install -- [NAME ...]`: what the suites of the real world need, all of it or what is named. */
import { installations } from './all.ts';
import { install, say } from './install.ts';

const wanted = process.argv.slice(2);
const known = installations.map(({ what }) => what.name);
const unknown = wanted.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  process.stderr.write(`There is no ${unknown.join(', ')}: one of ${known.join(', ')}.\n`);
  process.exit(2);
}
for (const installation of installations.filter(
  ({ what }) => wanted.length === 0 || wanted.includes(what.name),
))
  try {
    install(installation);
  } catch (error) {
    // The others may be had all the same; what is missing is skipped by its suites, which say so.
    say(
      `${installation.what.name} cannot be had here: ${error instanceof Error ? error.message : String(error)}`,
    );
    process.exitCode = 1;
  }
