import { type Document, isMap, isSeq, parseAllDocuments, stringify, YAMLSeq } from 'yaml';
import { messageOf } from '../../base/message-of.ts';
import type { JwtAuthenticator } from './jwt-authenticator.ts';
import { type KnownAuthenticator, readAuthenticators } from './known-authenticator.ts';

export type Merged =
  | { readonly kind: 'document'; readonly text: string; readonly warnings: readonly string[] }
  | { readonly kind: 'refused'; readonly reason: string };

/** The most that an API server takes (Kubernetes, ValidateAuthenticationConfiguration). */
const mostAuthenticators = 64;

const versions = ['apiserver.config.k8s.io/v1', 'apiserver.config.k8s.io/v1beta1'];
const kind = 'AuthenticationConfiguration';

/** A document with these alone. */
export const authenticationConfiguration = (jwt: readonly JwtAuthenticator[]): string =>
  stringify({ apiVersion: versions[0], kind, jwt }, { lineWidth: 0 });

/**
 * Adds authenticators to a configuration that is there, whose comments and other authenticators stay. `replaces`: one of the same issuer makes place. Pure.
 */
export function mergeAuthentication(
  text: string,
  added: readonly JwtAuthenticator[],
  { replaces }: { readonly replaces: boolean },
): Merged {
  const documents = parseAllDocuments(text, { prettyErrors: false, logLevel: 'silent' });
  const [document] = 'empty' in documents ? [] : documents;
  if (document === undefined || documents.length > 1) return refused('it is no single YAML document');
  const problem = problemOf(document);
  if (problem) return refused(problem);
  try {
    return mergeInto(document, added, { replaces });
  } catch (cause) {
    // The library throws for aliases: too many, or of an anchor that makes place.
    return refused(`it cannot be written anew: ${messageOf(cause)}`);
  }
}

function mergeInto(
  document: Document.Parsed,
  added: readonly JwtAuthenticator[],
  { replaces }: { readonly replaces: boolean },
): Merged {
  const list = document.get('jwt') ?? new YAMLSeq();
  if (!isSeq(list)) return refused('its jwt is no list');
  if (!list.items.every((item) => isMap(item))) return refused('its jwt has an entry that is no map');
  const others: KnownAuthenticator[] = [...readAuthenticators(document.toJS())];
  for (const authenticator of added) {
    const url = authenticator.issuer?.url;
    const at = others.findIndex(({ issuer }) => issuer?.url === url);
    if (at >= 0 && !replaces)
      return refused(
        `it has an authenticator for ${url} already, and an API server takes one for an issuer: give --replace to put this one in its place`,
      );
    const node = document.createNode(authenticator);
    if (at >= 0) {
      list.set(at, node);
      others[at] = authenticator;
    } else {
      list.add(node);
      others.push(authenticator);
    }
  }
  const clash = sameDiscovery(others);
  if (clash) return refused(clash);
  if (others.length > mostAuthenticators)
    return refused(
      `it would have ${others.length} authenticators, and an API server takes ${mostAuthenticators}`,
    );
  document.set('jwt', list);
  return { kind: 'document', text: document.toString({ lineWidth: 0 }), warnings: warningsOf(others, added) };
}

const refused = (reason: string): Merged => ({ kind: 'refused', reason });

function problemOf(document: Document.Parsed): string | undefined {
  const [error] = document.errors;
  if (error) return `it is no YAML: ${error.message}`;
  if (!isMap(document.contents) || document.get('kind') !== kind) return `it is no ${kind}`;
  const apiVersion: unknown = document.get('apiVersion');
  return versions.includes(String(apiVersion))
    ? undefined
    : `its apiVersion is ${String(apiVersion)}: write ${versions[0]}, which Kubernetes 1.34 has`;
}

function sameDiscovery(all: readonly KnownAuthenticator[]): string | undefined {
  const addresses = all.flatMap(({ issuer }) => issuer?.discoveryURL ?? []);
  const twice = addresses.find((address, place) => addresses.indexOf(address) !== place);
  return (
    twice && `two of its authenticators would have the discoveryURL ${twice}, which an API server refuses`
  );
}

/** Kubernetes lets every issuer name `system:masters`, and `drover:instance:ID`, unless a rule forbids it. */
const warningsOf = (
  all: readonly KnownAuthenticator[],
  added: readonly KnownAuthenticator[],
): readonly string[] =>
  all
    .filter((one) => !added.includes(one) && !isBounded(one))
    .map(
      ({ issuer }) =>
        `the authenticator for ${issuer?.url} has no userValidationRules that forbid names beginning with system: or drover:, so its issuer can name an administrator or an instance`,
    );

const isBounded = ({ claimMappings, userValidationRules = [] }: KnownAuthenticator): boolean => {
  const isPrefixed = ({
    claim,
    prefix,
  }: {
    readonly claim?: string | undefined;
    readonly prefix?: string | undefined;
  } = {}): boolean => (claim === undefined ? false : prefix !== undefined && prefix !== '');
  const { username, groups } = claimMappings ?? {};
  return (
    userValidationRules.some(({ expression }) => expression?.includes('system:')) ||
    (isPrefixed(username) && (groups === undefined || isPrefixed(groups)))
  );
};
