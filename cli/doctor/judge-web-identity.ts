import { shellWord } from '../../shared/base/shell-words.ts';
import { readCallerArn } from '../../shared/identity/arn.ts';
import { principalExtra } from '../../shared/identity/web-identity/authenticator.ts';
import { audienceOf } from '../../shared/identity/web-identity/trust.ts';
import type { Finding } from './check.ts';

export interface ApiServerFlags {
  /** Of its pod. */
  readonly name: string;
  /** Whether it has `--authentication-config`. */
  readonly hasFile: boolean;
}

/** What became of a web identity token of the caller. */
export type Login =
  | {
      readonly kind: 'user';
      readonly username: string;
      readonly groups: readonly string[];
      readonly extra: Readonly<Record<string, readonly string[]>>;
    }
  | { readonly kind: 'refused' }
  | { readonly kind: 'not-tried'; readonly reason: string };

export type ObservedWebIdentity =
  | { readonly kind: 'eks'; readonly server: string }
  | {
      /** `hidden`: the caller may not ask IAM. `absent`: the partition has no such feature. */
      readonly kind: 'disabled' | 'hidden' | 'absent';
      readonly apiServers: readonly ApiServerFlags[] | undefined;
    }
  | {
      readonly kind: 'enabled';
      readonly issuer: string;
      readonly server: string;
      readonly clusterName: string;
      readonly callerArn: string;
      readonly login: Login;
      readonly apiServers: readonly ApiServerFlags[] | undefined;
    };

type Enabled = Extract<ObservedWebIdentity, { kind: 'enabled' }>;

const subject = 'issuer';
const enable = 'aws iam enable-outbound-web-identity-federation';

/** Pure. */
export function judgeWebIdentity(observed: ObservedWebIdentity): readonly Finding[] {
  if (observed.kind === 'eks')
    return [
      {
        verdict: 'ok',
        subject: observed.server,
        message: 'EKS takes no authentication configuration, and so no web identity token of STS',
      },
    ];
  const own =
    observed.kind === 'enabled' ? judgeLogin(observed) : judgeAbsence(observed.kind, observed.apiServers);
  return [own, ...judgeApiServers(observed.apiServers ?? [])];
}

function judgeAbsence(
  kind: 'disabled' | 'hidden' | 'absent',
  apiServers: readonly ApiServerFlags[] | undefined,
): Finding {
  if (kind === 'hidden')
    return {
      verdict: 'advice',
      subject,
      message:
        'you may not ask IAM for the issuer of web identity tokens, so they were not looked at: iam:GetOutboundWebIdentityFederationInfo',
    };
  const none = 'the account gives out no web identity tokens';
  if (kind === 'disabled' && apiServers?.some(({ hasFile }) => hasFile))
    return {
      verdict: 'advice',
      subject,
      message: `${none}, and API servers have --authentication-config: if that file is from drover auth-config, neither users nor nodes can log in with it`,
      command: enable,
    };
  return {
    verdict: 'ok',
    subject,
    message: `${none}: ${kind === 'absent' ? 'IAM has no such feature here' : 'only a login without a webhook needs them'}`,
  };
}

function judgeLogin(observed: Enabled): Finding {
  const { login, issuer, clusterName, apiServers, callerArn } = observed;
  const audience = audienceOf(clusterName);
  if (login.kind === 'not-tried')
    return {
      verdict: 'advice',
      subject: issuer,
      message: `the account gives out web identity tokens; no login with one for ${audience} was tried: ${login.reason}`,
    };
  if (login.kind === 'user') return judgeUser(observed, login);
  if (apiServers !== undefined && apiServers.length > 0 && !apiServers.some(({ hasFile }) => hasFile))
    return {
      verdict: 'ok',
      subject: issuer,
      message: 'the API servers have no --authentication-config, so they take no web identity tokens',
    };
  return {
    verdict: 'advice',
    subject: issuer,
    message: `the API server refuses your web identity token for ${audience}: it has no authenticator for this issuer and audience, cannot read the issuer’s keys, or nothing in it names ${arnText(callerArn)}. Its log says which; where the cluster uses such tokens, compare its file with this`,
    command: configOf(observed),
  };
}

function judgeUser(
  observed: Enabled,
  { username, groups, extra }: Extract<Login, { kind: 'user' }>,
): Finding {
  const said = `the API server takes your web identity token, and knows you as ${username}`;
  const reserved = [username, ...groups].find(
    (name) => name.startsWith('system:') && name !== 'system:authenticated',
  );
  if (reserved !== undefined)
    return {
      verdict: 'fix',
      subject: observed.issuer,
      message: `${said}, with ${reserved}, which is reserved for Kubernetes: the rules of drover auth-config forbid that`,
      command: configOf(observed),
    };
  const principal = extra[principalExtra]?.[0];
  if (principal === undefined)
    return {
      verdict: 'advice',
      subject: observed.issuer,
      message: `${said}, without ${principalExtra}: its rules are not those of drover auth-config, and the audit log does not name the role`,
      command: configOf(observed),
    };
  return { verdict: 'ok', subject: observed.issuer, message: `${said}, by ${principal}` };
}

/** A load balancer leads a login to any of them. */
function judgeApiServers(apiServers: readonly ApiServerFlags[]): readonly Finding[] {
  if (!apiServers.some(({ hasFile }) => hasFile)) return [];
  return apiServers
    .filter(({ hasFile }) => !hasFile)
    .map(({ name }) => ({
      verdict: 'fix',
      subject: name,
      message:
        'this API server has no --authentication-config, and others have: a login by it depends on the API server that is reached',
    }));
}

/** The role or user that a token of the caller names, as far as it can be known here: STS leaves out the path of a role. */
function arnText(callerArn: string): string {
  const role = /^(arn:[^:]+):sts::(\d+):assumed-role\/([^/]+)\//.exec(callerArn);
  return role ? `${role[1]}:iam::${role[2]}:role/${role[3]}` : callerArn;
}

function configOf({ clusterName, issuer, callerArn }: Enabled): string {
  const arn = arnText(callerArn);
  const person =
    readCallerArn(arn) && /:(?:role|user)\//.test(arn) ? ` --person ${shellWord(`NAME=${arn}`)}` : '';
  return `drover auth-config --cluster ${shellWord(clusterName)} --issuer ${shellWord(issuer)}${person}`;
}
