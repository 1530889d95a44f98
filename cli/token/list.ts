import type { Rotation } from '../../shared/runtime/compose-rotation.ts';
import type { CliContext } from '../context.ts';
import { durationText } from '../durations.ts';
import { jsonText } from '../json-text.ts';
import { rotationsOf } from '../rotate/rotations.ts';
import { tableText } from '../table.ts';
import { type KnownToken, knownTokens, type TokenFlags, tokenJson } from './tokens.ts';

/** Lists the tokens that Drover made and that have not been retired. */
export async function listTokens(flags: TokenFlags, context: CliContext): Promise<void> {
  const rotations = rotationsOf(flags, context);
  const tokens = await knownTokens(rotations);
  if (flags.json) context.stdout.write(jsonText(tokens.map(tokenJson)));
  else if (tokens.length === 0) context.stdout.write(noTokens(rotations));
  else context.stdout.write(tokensText(tokens, context.clock.now()));
}

/** The name of a parameter shows a cluster that was mistyped. */
const noTokens = (rotations: readonly Rotation[]): string =>
  `Drover has made no token for ${rotations.map(({ parameterName }) => parameterName).join(' or ')}\n`;

function tokensText(tokens: readonly KnownToken[], now: number): string {
  const seconds = (from: number, to: number): string =>
    durationText(Math.max(0, Math.round((to - from) / 1000)));
  return tableText(
    ['TOKEN', 'ROLE', 'AGE', 'EXPIRES IN', 'PUBLISHED', 'WHY IT IS KEPT OR RETIRED'],
    tokens.map(({ token, rotation, isPublished, reason }) => [
      token.id,
      rotation.role,
      seconds(token.createdAt, now),
      seconds(now, token.expiresAt),
      isPublished ? 'yes' : '-',
      reason,
    ]),
  );
}
