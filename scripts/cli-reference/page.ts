import { type DocumentedCommand, documentedCommands } from './commands.ts';
import { withFlagTable } from './flag-table.ts';

/** `drover hold create GROUP NODES` -> `drover hold create`. */
const pathIn = (heading: string): string =>
  heading
    .split(' ')
    .filter((word) => /^[a-z]/.test(word))
    .join(' ');

/**
 * The reference of the commands, from the page as it is: headings with arguments and tables of flags are those of the commands, and the prose
 * stays. Sections of commands that are gone are left out, and new commands get a section at the end.
 */
export function cliReference(page: string, commands = documentedCommands()): string {
  const [top = '', ...sections] = page.split(/^(?=## )/m);
  const byPath = new Map(commands.map((command) => [command.path, command]));
  const kept = sections.flatMap((section) => {
    const [heading = ''] = section.split('\n');
    const command = byPath.get(pathIn(heading.slice('## '.length)));
    return command === undefined ? [] : [updated(section, command)];
  });
  const known = new Set(sections.map((section) => pathIn(section.split('\n')[0] ?? '')));
  const added = commands.filter(({ path }) => !known.has(path)).map((command) => updated('\n', command));
  return `${[top, ...kept, ...added].join('').trimEnd()}\n`;
}

const updated = (section: string, { heading, flags }: DocumentedCommand): string => {
  const [, ...body] = section.split('\n');
  return withFlagTable([`## ${heading}`, ...body].join('\n'), flags);
};
