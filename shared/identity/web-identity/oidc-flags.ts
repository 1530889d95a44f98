import { flagWords, type Word } from './flag-words.ts';
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
  const read = readFlags(flagWords(written));
  if (typeof read === 'string') return refused(read);
  const flags = read;
  const one = (name: string): string | undefined => flags.get(name)?.at(-1);
  const file = one('authentication-config');
  if (file !== undefined) return refused(`the API server reads ${file} already: give that file with --merge`);
  if (flags.size === 0) return { kind: 'none' };
  const url = one('oidc-issuer-url');
  const clientId = one('oidc-client-id');
  if (!url || !clientId)
    return refused('--oidc-issuer-url or --oidc-client-id is missing beside the other --oidc-* flags');
  const rules = flags.get('oidc-required-claim') ?? [];
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

/** The flags about authentication, with their values in order, or why they cannot be read: `--name=value` and `--name value`, with `_` for `-` too, as pflag takes them. */
function readFlags(words: readonly Word[]): ReadonlyMap<string, readonly string[]> | string {
  const flags = new Map<string, readonly string[]>();
  for (const [index, word] of words.entries()) {
    const [, written = '', joined] = /^--([\w-]+)(?:=([\s\S]*))?$/.exec(word.text) ?? [];
    const name = written.replaceAll('_', '-');
    if (!/^(?:oidc-.+|authentication-config)$/.test(name)) continue;
    const end = joined === undefined ? index + 1 : index;
    const value = joined ?? words[end]?.text;
    const problem = value === undefined ? 'has no value' : problemOf(value, words.slice(end, end + 2));
    if (value === undefined || problem) return `--${name} ${problem}`;
    flags.set(name, [...(flags.get(name) ?? []), value]);
  }
  return flags;
}

/** `$` is a variable of a shell, of systemd or of the kubelet. What stands apart after a value was a part of it, or no API server takes it. */
function problemOf(value: string, [last, next]: readonly Word[]): string | undefined {
  if (/\s--\w/.test(value)) return 'has another flag in its value: write each flag by itself';
  if (value.includes('$')) return `is ${value}: write the value itself in place of the variable`;
  return last?.isFollowed && /^[^-$\\<>&|;]/.test(next?.text ?? '')
    ? `may have a value with a space, before ${next?.text}: put it in quotes`
    : undefined;
}

/** The API server takes one claim of each flag, with the commas of its value, and cuts spaces around both. */
const ruleOf = (rule: string) => {
  const at = rule.indexOf('=');
  return { claim: rule.slice(0, at).trim(), requiredValue: rule.slice(at + 1).trim() };
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
