import { type Command, Option } from 'commander';

const formats = ['wide', 'json', 'yaml', 'name'] as const;

/** How a list is printed; absent: as a table that fits the terminal. */
export interface ListingFlags {
  readonly json?: true;
  readonly output?: (typeof formats)[number];
}

/** Adds kubectl's flag for the form of a list, and `--json`. */
export const withListingFlags = (command: Command): Command =>
  command
    .addOption(
      new Option(
        '-o, --output <format>',
        'wide: every column, whole; json; yaml; name: a name on each line, for xargs',
      ).choices(formats),
    )
    .addOption(new Option('--json', 'the same as -o json').conflicts('output'));

/** Whether data is printed, and no text for people. */
export const isForPrograms = ({ json, output }: ListingFlags): boolean =>
  json === true || (output !== undefined && output !== 'wide');
