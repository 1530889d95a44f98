import type { JwtAuthenticator } from './jwt-authenticator.ts';

/** What the flags of an API server say of its authenticators. */
export type FlagsReading =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'oidc';
      /** The same as an authenticator; its certificate authority is in a file yet. */
      readonly authenticator: JwtAuthenticator;
      readonly certificateAuthorityFile?: string;
      readonly warnings: readonly string[];
    }
  | { readonly kind: 'refused'; readonly reason: string };

/**
 * Reads the `--oidc-*` flags in the manifest of a kube-apiserver, or in any text with its flags. An API server that has them refuses `--authentication-config`, so they have to
 * become an authenticator (Kubernetes reference, "kube-apiserver Configuration (v1)", PrefixedClaimOrExpression). Pure.
 */
export function readOidcFlags(written: string): FlagsReading {
  const text = withoutComments(written);
  const flags = flagsIn(text);
  const one = (name: string): string | undefined => flags.get(name)?.at(-1);
  const file = one('authentication-config');
  if (file !== undefined) return refused(`the API server reads ${file} already: give that file with --merge`);
  const apart = /--(?:oidc-[a-z-]+|authentication-config)(?![\w-]*=)(?=[\s"',\]]|$)/.exec(text)?.[0];
  if (apart) return refused(`${apart} has its value apart: write ${apart}=VALUE`);
  if (![...flags.keys()].some((name) => name.startsWith('oidc-'))) return { kind: 'none' };
  const url = one('oidc-issuer-url');
  const clientId = one('oidc-client-id');
  if (!url || !clientId)
    return refused('--oidc-issuer-url or --oidc-client-id is missing beside the other --oidc-* flags');
  const rules = (flags.get('oidc-required-claim') ?? []).flatMap((value) => value.split(','));
  const broken = rules.find((rule) => !rule.includes('='));
  if (broken !== undefined) return refused(`--oidc-required-claim=${broken} is not NAME=VALUE`);
  const groupsClaim = one('oidc-groups-claim');
  const certificateAuthorityFile = one('oidc-ca-file');
  return {
    kind: 'oidc',
    ...(certificateAuthorityFile && { certificateAuthorityFile }),
    authenticator: {
      issuer: { url, audiences: [clientId] },
      ...(rules.length > 0 && { claimValidationRules: rules.map(ruleOf) }),
      claimMappings: {
        username: usernameOf({
          url,
          claim: one('oidc-username-claim') ?? 'sub',
          prefix: one('oidc-username-prefix') ?? '',
        }),
        ...(groupsClaim && { groups: { claim: groupsClaim, prefix: one('oidc-groups-prefix') ?? '' } }),
      },
    },
    warnings:
      one('oidc-signing-algs') === undefined
        ? ['with a file the API server takes every signing algorithm of JWTs, and not RS256 alone']
        : [
            '--oidc-signing-algs has no counterpart in the file: the API server takes every signing algorithm of JWTs',
          ],
  };
}

const refused = (reason: string): FlagsReading => ({ kind: 'refused', reason });

/** A flag that was commented out counts no more: its issuer may have been. */
const withoutComments = (text: string): string => text.replaceAll(/(?:^|\s)#.*$/gm, '');

/** `--name=value`, as the list of a command or one a line. */
function flagsIn(text: string): ReadonlyMap<string, readonly string[]> {
  const found = [...text.matchAll(/(?:^|[\s"'[,])--([a-z-]+)=([^\s"',\]]*(?:,[^\s"',\]]+)*)/gm)];
  return new Map(
    [...Map.groupBy(found, ([, name = '']) => name)].map(([name, values]) => [
      name,
      values.map(([, , value = '']) => value),
    ]),
  );
}

const ruleOf = (rule: string) => {
  const at = rule.indexOf('=');
  return { claim: rule.slice(0, at), requiredValue: rule.slice(at + 1) };
};

/** Without a prefix, a name has the issuer before it, unless it is an e-mail address; `-` is no prefix. */
function usernameOf({
  url,
  claim,
  prefix,
}: {
  readonly url: string;
  readonly claim: string;
  readonly prefix: string;
}) {
  if (prefix === '-') return { claim, prefix: '' };
  return { claim, prefix: prefix === '' && claim !== 'email' ? `${url}#` : prefix };
}
