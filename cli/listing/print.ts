import type { CliContext } from '../context.ts';
import { jsonText } from '../json-text.ts';
import type { Text } from '../output.ts';
import { oneLine } from '../plain-text.ts';
import { type TableView, viewOf, wholeView } from '../table/column.ts';
import type { ListingFlags } from './flags.ts';

/** A list in each form that it can be printed in. */
export interface Listing {
  /** For `-o json` and `-o yaml`. */
  readonly data: unknown;
  /** For `-o name`: what the commands about one of them take as arguments. */
  readonly names: readonly string[];
  readonly text: (view: TableView) => Text;
}

/** Prints lists in the form that the flags ask for. The library for YAML is loaded only for YAML. */
export async function printerOf(
  { json, output }: ListingFlags,
  { stdout }: Pick<CliContext, 'stdout'>,
): Promise<(listing: Listing) => void> {
  switch (json ? 'json' : output) {
    case 'json':
      return ({ data }) => stdout.write(jsonText(data));
    case 'yaml': {
      const { yamlText } = await import('./yaml.ts');
      return ({ data }) => stdout.write(yamlText(data));
    }
    case 'name':
      return ({ names }) => stdout.write(names.map((name) => `${oneLine(name)}\n`));
    case 'wide':
      return ({ text }) => stdout.write(text(wholeView));
    case undefined:
      return ({ text }) => stdout.write(text(viewOf(stdout)));
  }
}

/** Prints one list. */
export async function printListing(
  listing: Listing,
  flags: ListingFlags,
  context: Pick<CliContext, 'stdout'>,
): Promise<void> {
  (await printerOf(flags, context))(listing);
}
