import { type Document, isMap, isSeq, parseAllDocuments, stringify, YAMLSeq } from 'yaml';
import * as z from 'zod/mini';
import { lazily } from '../../base/lazily.ts';
import { messageOf } from '../../base/message-of.ts';

interface Mapping {
  readonly claim?: string;
  readonly prefix?: string;
  readonly expression?: string;
}

/** The fields of an entry of `jwt` that Drover writes and reads (Kubernetes reference, "kube-apiserver Configuration (v1)", JWTAuthenticator). */
export interface JwtAuthenticator {
  readonly issuer?: {
    readonly url?: string;
    readonly discoveryURL?: string;
    readonly certificateAuthority?: string;
    readonly audiences?: readonly string[];
  };
  readonly claimValidationRules?: readonly {
    readonly claim?: string;
    readonly requiredValue?: string;
    readonly expression?: string;
    readonly message?: string;
  }[];
  readonly claimMappings?: {
    readonly username?: Mapping;
    readonly groups?: Mapping;
    readonly extra?: readonly { readonly key: string; readonly valueExpression: string }[];
  };
  readonly userValidationRules?: readonly { readonly expression?: string; readonly message?: string }[];
}

/** An alias, because the linter mistakes `z.catch` for a method of a promise. */
const orElse = z.catch;

/** A field of another type counts as missing: the API server refuses it with a better message. */
const known = <Schema extends z.ZodMiniType>(schema: Schema) => orElse(z.optional(schema), undefined);

const mapping = () => known(z.object({ claim: known(z.string()), prefix: known(z.string()) }));
const rule = () => orElse(z.object({ expression: known(z.string()) }), { expression: undefined });
const authenticator = () =>
  z.object({
    issuer: known(z.object({ url: known(z.string()), discoveryURL: known(z.string()) })),
    claimMappings: known(z.object({ username: mapping(), groups: mapping() })),
    userValidationRules: known(z.readonly(z.array(rule()))),
  });
const schema = lazily(() => z.object({ jwt: known(z.readonly(z.array(authenticator()))) }));

/** The fields that a merge reads of an authenticator that Drover did not write. */
export type KnownAuthenticator = z.infer<ReturnType<typeof authenticator>>;

/** The authenticators of a configuration, in their order. */
export const readAuthenticators = (configuration: unknown): readonly KnownAuthenticator[] =>
  schema().parse(configuration).jwt ?? [];

export type Merged =
  | { readonly kind: 'document'; readonly text: string; readonly warnings: readonly string[] }
  | { readonly kind: 'refused'; readonly reason: string };

/** The maximum of an API server (Kubernetes, ValidateAuthenticationConfiguration). */
const mostAuthenticators = 64;

const versions = ['apiserver.config.k8s.io/v1', 'apiserver.config.k8s.io/v1beta1'];
const kind = 'AuthenticationConfiguration';

/** A document with only these authenticators. */
export const authenticationConfiguration = (jwt: readonly JwtAuthenticator[]): string =>
  stringify({ apiVersion: versions[0], kind, jwt }, { lineWidth: 0 });

/**
 * Adds authenticators to an existing configuration. Its comments and other authenticators stay. `replaces`: an authenticator of the same issuer is
 * replaced. Pure.
 */
export function mergeAuthentication(
  text: string,
  added: readonly JwtAuthenticator[],
  { replaces }: { readonly replaces: boolean },
): Merged {
  const documents = parseAllDocuments(text, { prettyErrors: false, logLevel: 'silent' });
  const [document] = 'empty' in documents ? [] : documents;
  if (document === undefined || documents.length > 1) return refused('it is not a single YAML document');
  const problem = problemOf(document);
  if (problem) return refused(problem);
  try {
    return mergeInto(document, added, { replaces });
  } catch (cause) {
    // The library throws for aliases: too many, or an alias of an anchor that was replaced.
    return refused(`it cannot be rewritten: ${messageOf(cause)}`);
  }
}

function mergeInto(
  document: Document.Parsed,
  added: readonly JwtAuthenticator[],
  { replaces }: { readonly replaces: boolean },
): Merged {
  const list = document.get('jwt') ?? new YAMLSeq();
  if (!isSeq(list)) return refused('its jwt is not a list');
  if (!list.items.every((item) => isMap(item))) return refused('its jwt has an entry that is not a map');
  const others: KnownAuthenticator[] = [...readAuthenticators(document.toJS())];
  for (const authenticator of added) {
    const url = authenticator.issuer?.url;
    const at = others.findIndex(({ issuer }) => issuer?.url === url);
    if (at >= 0 && !replaces)
      return refused(
        `it already has an authenticator for ${url}, and an API server accepts only one for each issuer: give --replace to replace it`,
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
      `it would have ${others.length} authenticators, but an API server accepts at most ${mostAuthenticators}`,
    );
  document.set('jwt', list);
  return { kind: 'document', text: document.toString({ lineWidth: 0 }), warnings: warningsOf(others, added) };
}

const refused = (reason: string): Merged => ({ kind: 'refused', reason });

function problemOf(document: Document.Parsed): string | undefined {
  const [error] = document.errors;
  if (error) return `it is not YAML: ${error.message}`;
  if (!isMap(document.contents) || document.get('kind') !== kind) return `its kind is not ${kind}`;
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

/** Every issuer can name `system:masters` and `drover:instance:ID`, unless a rule forbids it. */
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
