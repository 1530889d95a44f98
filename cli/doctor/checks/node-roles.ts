import { GetRoleCommand, type IAMClient } from '@aws-sdk/client-iam';
import { GetCallerIdentityCommand } from '@aws-sdk/client-sts';
import { hasCode } from '../../../shared/aws/errors.ts';
import { createParameterStore } from '../../../shared/aws/parameters.ts';
import { shellWord } from '../../../shared/base/shell-words.ts';
import { readCallerArn } from '../../../shared/identity/arn.ts';
import { isBroken, listsOf, parseDocuments } from '../../../shared/identity/parse-mapping.ts';
import { readMapping } from '../../../shared/identity/read-mapping.ts';
import { isNodeEntry } from '../../../shared/identity/user.ts';
import { configMapData } from '../../../shared/kubernetes/config-maps.ts';
import { isForbidden } from '../../../shared/kubernetes/status.ts';
import { checkOf, type Finding } from '../check.ts';
import type { DoctorContext } from '../doctor-context.ts';
import { onlyEc2, othersThanEc2 } from '../trust-policy.ts';

/** A role that the mapping makes a node, with its trust policy. */
interface ObservedRole {
  readonly arn: string;
  /** `elsewhere`: of another account, which is not asked. */
  readonly trust:
    | { readonly kind: 'policy'; readonly document: string }
    | { readonly kind: 'missing' | 'elsewhere' };
}

const configMapSource = 'aws-auth';

interface SourceProblem {
  readonly source: string;
  readonly problem: string;
  /** Whether it is the source as a whole. */
  readonly isWhole: boolean;
}

interface ObservedRoles {
  readonly roles: readonly ObservedRole[];
  /** What is left out of the sources. */
  readonly problems: readonly SourceProblem[];
  /** Whether the ConfigMap aws-auth may not be read. */
  readonly isConfigMapHidden: boolean;
}

/**
 * Whether only EC2 may assume the roles that the mapping of the token webhook makes nodes. The caller of
 * AssumeRole chooses the name of the session: a session with the id of an instance of that role would be that node.
 */
export const nodeRoles = checkOf({ name: 'node-roles', read, judge: judgeNodeRoles });

/** The roles of both sources, whichever the deployment reads. */
async function read(context: DoctorContext): Promise<ObservedRoles> {
  const { ssm, sts, iam, identityMappingParameter } = context;
  const stored = await createParameterStore(ssm).read(identityMappingParameter);
  const data = await readConfigMap(context);
  const sources = [
    ...(stored ? [{ source: identityMappingParameter, reading: parseDocuments(stored.value) }] : []),
    ...(data === 'hidden' ? [] : [{ source: configMapSource, reading: listsOf(data ?? {}) }]),
  ].map(({ source, reading }) => {
    const { mapping, problems } = readMapping(reading.documents, 'all');
    const isWhole = isBroken(reading);
    const all = [...reading.problems, ...problems];
    return { roles: mapping.roles, problems: all.map((problem) => ({ source, problem, isWhole })) };
  });
  const entries = sources.flatMap(({ roles }) => roles);
  const arns = [...new Set(entries.filter(isNodeEntry).map(({ arn }) => arn))];
  const { Account } = arns.length === 0 ? {} : await sts.send(new GetCallerIdentityCommand({}));
  const trustOf = async (arn: string): Promise<ObservedRole['trust']> =>
    readCallerArn(arn)?.accountId === Account ? await readTrust(iam, arn) : { kind: 'elsewhere' };
  return {
    roles: await Promise.all(arns.map(async (arn) => ({ arn, trust: await trustOf(arn) }))),
    problems: sources.flatMap(({ problems }) => problems),
    isConfigMapHidden: data === 'hidden',
  };
}

async function readConfigMap({ identities }: DoctorContext) {
  const reader = identities.find(({ needs }) => needs.includes('reader'));
  try {
    return reader && (await configMapData(reader.api)('kube-system', 'aws-auth'));
  } catch (error) {
    if (isForbidden(error)) return 'hidden' as const;
    throw error;
  }
}

async function readTrust(iam: IAMClient, arn: string): Promise<ObservedRole['trust']> {
  try {
    const { Role } = await iam.send(new GetRoleCommand({ RoleName: nameOf(arn) }));
    return { kind: 'policy', document: Role?.AssumeRolePolicyDocument ?? '' };
  } catch (error) {
    if (hasCode(error, 'NoSuchEntity', 'NoSuchEntityException')) return { kind: 'missing' };
    throw error;
  }
}

const nameOf = (arn: string): string => arn.split('/').at(-1) ?? arn;

/** Pure. */
export function judgeNodeRoles({ roles, problems, isConfigMapHidden }: ObservedRoles): readonly Finding[] {
  const hidden: Finding = {
    verdict: 'advice',
    subject: configMapSource,
    message: 'Drover may not read this ConfigMap, so the roles that it makes nodes were not looked at',
    command: 'drover rbac | kubectl apply -f -',
  };
  const none: Finding = {
    verdict: 'ok',
    subject: 'mapping',
    message: 'no entry of the mapping of IAM identities makes a node',
  };
  const leftOut = problems.map(judgeProblem);
  const judged = [...roles.map(judgeRole), ...leftOut, ...(isConfigMapHidden ? [hidden] : [])];
  return judged.length > 0 ? judged : [none];
}

function judgeProblem({ source: subject, problem, isWhole }: SourceProblem): Finding {
  // Others than Drover may read the ConfigMap, and take what Drover leaves out.
  const verdict = subject === configMapSource ? 'advice' : 'fix';
  const history =
    subject === configMapSource
      ? {}
      : { command: `aws ssm get-parameter-history --with-decryption --name ${shellWord(subject)}` };
  return isWhole
    ? {
        verdict,
        subject,
        message: `the whole mapping is invalid, and the token webhook rejects everyone once the last valid version that it has read is ten minutes old: ${problem}`,
        ...history,
      }
    : { verdict, subject, message: `an entry of the mapping counts for nothing: ${problem}` };
}

const unread = {
  missing: 'the mapping makes it a node, and there is no such role: a new one of that name would be one',
  elsewhere:
    'the mapping makes it a node, and it is a role of another account: check there that only EC2 may assume it',
} as const;

function judgeRole({ arn: subject, trust }: ObservedRole): Finding {
  if (trust.kind !== 'policy') return { verdict: 'advice', subject, message: unread[trust.kind] };
  const others = othersThanEc2(trust.document);
  if (others === undefined)
    return { verdict: 'unknown', subject, message: 'its trust policy cannot be read' };
  if (others.length === 0)
    return { verdict: 'ok', subject, message: 'only EC2 may assume this role of nodes' };
  return {
    verdict: 'fix',
    subject,
    message: `it is a node by the mapping, and ${others.join(', ')} may assume it with the id of any instance that has this role`,
    command: `aws iam update-assume-role-policy --role-name ${shellWord(nameOf(subject))} --policy-document ${shellWord(onlyEc2)}`,
  };
}
