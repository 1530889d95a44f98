import { durationText } from '../../shared/base/duration.ts';
import type { Rotation } from '../../shared/runtime/rotations.ts';
import type { CliContext } from '../context.ts';
import type { ListingFlags } from '../listing/flags.ts';
import { printListing } from '../listing/print.ts';
import { rotationsOf } from '../rotate/rotations.ts';
import { sentence, type TableView } from '../table/column.ts';
import { tableText } from '../table/table.ts';
import { type KnownToken, knownTokens, type TokenFlags, tokenJson } from './tokens.ts';

/** Lists the tokens that Drover made and that have not been retired. */
export async function listTokens(flags: TokenFlags & ListingFlags, context: CliContext): Promise<void> {
  const rotations = rotationsOf(flags, context);
  const tokens = await knownTokens(rotations);
  const listing = {
    data: tokens.map(tokenJson),
    names: tokens.map(({ token }) => token.id),
    text: (view: TableView) =>
      tokens.length === 0 ? noTokens(rotations) : tokensText(tokens, context.clock.now(), view),
  };
  await printListing(listing, flags, context);
}

/** The name of a parameter shows a cluster that was mistyped. */
const noTokens = (rotations: readonly Rotation[]): string =>
  `Drover has made no token for ${rotations.map(({ parameterName }) => parameterName).join(' or ')}\n`;

const head = [
  'TOKEN',
  { head: 'ROLE', leftOut: 1 },
  { head: 'AGE', leftOut: 2 },
  'EXPIRES IN',
  'PUBLISHED',
  sentence('WHY IT IS KEPT OR RETIRED'),
];

function tokensText(tokens: readonly KnownToken[], now: number, view: TableView): string {
  const seconds = (from: number, to: number): string =>
    durationText(Math.max(0, Math.round((to - from) / 1000)));
  return tableText(
    head,
    tokens.map(({ token, rotation, isPublished, reason }) => [
      token.id,
      rotation.role,
      seconds(token.createdAt, now),
      seconds(now, token.expiresAt),
      isPublished ? 'yes' : '-',
      reason,
    ]),
    view,
  );
}
