import * as z from 'zod/mini';
import { lazily } from '../base/lazily.ts';
import { parseJson } from '../base/parse-json.ts';
import type { BootstrapRole, BootstrapToken, TokenOwner } from './token-cluster.ts';

/** The content of the ledger's parameter: the tokens that Drover made for this owner, or something that Drover must not replace. */
export type Ledger =
  | { readonly kind: 'ours'; readonly tokens: readonly BootstrapToken[] }
  | { readonly kind: 'foreign'; readonly why: string };

const kind = 'DroverBootstrapTokens';

const schema = lazily(() =>
  z.object({
    kind: z.literal(kind),
    cluster: z.string(),
    role: z.string(),
    tokens: z.array(
      z.object({
        id: z.string().check(z.regex(/^[a-z0-9]{6}$/)),
        uid: z.string().check(z.minLength(1)),
        createdAt: z.iso.datetime(),
        expiresAt: z.iso.datetime(),
        groups: z.array(z.string()),
      }),
    ),
  }),
);

/** Each role has its own parameter. The one of workers has no suffix. */
export const credentialParameterOf = (bootstrapParameter: string, role: BootstrapRole): string =>
  role === 'worker' ? bootstrapParameter : `${bootstrapParameter}-${role}`;

/** The ledger has its own parameter, beside that of the published credential. */
export const ledgerParameterOf = (bootstrapParameter: string): string => `${bootstrapParameter}-tokens`;

/** The ledger as JSON. It names the tokens and holds none of their secrets. */
export const formatLedger = ({ clusterName, role }: TokenOwner, tokens: readonly BootstrapToken[]): string =>
  JSON.stringify({
    kind,
    cluster: clusterName,
    role,
    tokens: tokens.map(({ id, uid, createdAt, expiresAt, groups }) => ({
      id,
      uid,
      createdAt: new Date(createdAt).toISOString(),
      expiresAt: new Date(expiresAt).toISOString(),
      groups,
    })),
  });

/** Reads the content of the parameter. The reason for `foreign` quotes none of the text. */
export function readLedger(text: string, { clusterName, role }: TokenOwner): Ledger {
  const parsed = schema().safeParse(parseJson(text));
  if (!parsed.success) return { kind: 'foreign', why: 'it is not a list of bootstrap tokens' };
  if (parsed.data.cluster !== clusterName || parsed.data.role !== role)
    return { kind: 'foreign', why: `its tokens are not those of ${role} nodes of ${clusterName}` };
  const tokens = parsed.data.tokens.map(({ createdAt, expiresAt, ...token }) => ({
    ...token,
    createdAt: Date.parse(createdAt),
    expiresAt: Date.parse(expiresAt),
  }));
  return { kind: 'ours', tokens };
}
