import type { CliContext } from '../context.ts';
import { durationText } from '../durations.ts';
import { jsonText } from '../json-text.ts';
import { tableText } from '../table.ts';
import { type KnownToken, knownTokens, type TokenFlags, tokenJson } from './tokens.ts';

/** Lists the tokens that Drover made and that have not been retired. */
export async function listTokens(flags: TokenFlags, context: CliContext): Promise<void> {
  const tokens = await knownTokens(flags, context);
  const text = flags.json ? jsonText(tokens.map(tokenJson)) : tokensText(tokens, context.clock.now());
  context.stdout.write(text);
}

function tokensText(tokens: readonly KnownToken[], now: number): string {
  if (tokens.length === 0) return 'Drover has made no token\n';
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
