import { GetParametersCommand } from '@aws-sdk/client-ssm';
import { credentialParameterOf } from '../../../shared/credentials/token-ledger.ts';
import { roleOf } from '../../../shared/lifecycle/group.ts';
import { durationText } from '../../durations.ts';
import { shellWord } from '../../shell-words.ts';
import { checkOf, type Finding, type Verdict } from '../check.ts';

interface ObservedParameter {
  readonly name: string;
  readonly use: string;
  readonly type: string | undefined;
  /** Undefined: there is no such parameter. */
  readonly ageSeconds: number | undefined;
  /** From what age on it should have been renewed. */
  readonly renewedWithinSeconds?: number;
  /** The verdict on its absence. */
  readonly ifMissing: Verdict;
  /** What makes it, or makes it anew. */
  readonly command: string;
}

/** The alarm `bootstrap-credential-overdue` allows as much. */
const overdueSeconds = 2 * 3600;

/** The parameters of the deployment: that they are there, encrypted, and how old they are. Their values are not read. */
export const parameters = checkOf({
  name: 'parameters',
  read: async (context): Promise<readonly ObservedParameter[]> => {
    const { clusterName, bootstrapParameter, etcdClientParameter } = context;
    const hasEtcd = (await context.managedGroups()).some((group) => roleOf(group) === 'etcd');
    const cluster = shellWord(clusterName);
    const wanted = [
      ...context.identities.map(({ parameter, needs }) => ({
        name: parameter,
        use:
          context.identities.length > 1 ? `the kubeconfig of ${needs.join(' and ')}` : 'Drover’s kubeconfig',
        ifMissing: 'mend' as const,
        command: `aws ssm put-parameter --name ${shellWord(parameter)} --type SecureString --tier Intelligent-Tiering --overwrite --value file://drover.kubeconfig`,
      })),
      ...context.bootstrapRoles.map((role) => ({
        name: credentialParameterOf(bootstrapParameter, role),
        use: role === 'worker' ? 'the bootstrap credential' : `the bootstrap credential of ${role} nodes`,
        // A stage may leave it out (bootstrap: off).
        ifMissing: 'advice' as const,
        renewedWithinSeconds: context.bootstrapRotationSeconds + overdueSeconds,
        command: `drover rotate --cluster ${cluster}${role === 'worker' ? '' : ` --role ${role}`}`,
      })),
      ...(hasEtcd
        ? [
            {
              name: etcdClientParameter,
              use: 'the client certificate for etcd',
              ifMissing: 'mend',
              command: `drover pki upload FOLDER --cluster ${cluster}`,
            } as const,
          ]
        : []),
    ] as const;
    const Names = wanted.map(({ name }) => name);
    const { Parameters = [] } = await context.ssm.send(new GetParametersCommand({ Names }));
    return wanted.map((one) => {
      const found = Parameters.find(({ Name }) => Name === one.name);
      const modifiedAt = found?.LastModifiedDate?.getTime();
      const ageSeconds = modifiedAt === undefined ? undefined : Math.max(0, (context.at - modifiedAt) / 1000);
      return { ...one, type: found?.Type, ageSeconds };
    });
  },
  judge: (found) => found.map(judgeParameter),
});

/** Pure. */
export function judgeParameter(parameter: ObservedParameter): Finding {
  const {
    name: subject,
    use,
    type,
    ageSeconds,
    renewedWithinSeconds,
    ifMissing: verdict,
    command,
  } = parameter;
  if (ageSeconds === undefined) return { verdict, subject, message: `${use} is missing`, command };
  const age = `${durationText(Math.round(ageSeconds))} old`;
  if (type !== 'SecureString') {
    const message = `${use} is a ${type}: store it as a SecureString`;
    return { verdict: 'mend', subject, message, command: `${removal(subject)} && ${command}` };
  }
  if (renewedWithinSeconds !== undefined && ageSeconds > renewedWithinSeconds)
    return { verdict: 'mend', subject, message: `${use} is ${age}, and was due for renewal`, command };
  return { verdict: 'ok', subject, message: `${use} is ${age}` };
}

/** Parameter Store changes no type, and keeps earlier values, which anyone with a right to the history can read. */
const removal = (name: string): string => `aws ssm delete-parameter --name ${shellWord(name)}`;
