import { GetParametersCommand } from '@aws-sdk/client-ssm';
import { durationText } from '../../../shared/base/duration.ts';
import { shellWord } from '../../../shared/base/shell-words.ts';
import { checkOf, type Finding } from '../check.ts';
import { type StoredParameter, storedParameters } from '../stored-parameters.ts';

interface ObservedParameter extends Omit<StoredParameter, 'content'> {
  readonly type: string | undefined;
  /** Undefined if there is no such parameter. */
  readonly ageSeconds: number | undefined;
}

/** The parameters of the deployment: that they are there, encrypted, and how old they are. Their values are not read. */
export const parameters = checkOf({
  name: 'parameters',
  read: async (context): Promise<readonly ObservedParameter[]> => {
    const wanted = await storedParameters(context);
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
    mayBeMissing,
    command,
  } = parameter;
  if (ageSeconds === undefined) {
    const message = [`${use} is missing`, ...(mayBeMissing ? [mayBeMissing] : [])].join(': ');
    return { verdict, subject, message, command };
  }
  const age = `${durationText(Math.round(ageSeconds))} old`;
  if (type !== 'SecureString') {
    const message = `${use} is a ${type}: store it as a SecureString`;
    return { verdict: 'fix', subject, message, command: `${removal(subject)} && ${command}` };
  }
  if (renewedWithinSeconds !== undefined && ageSeconds > renewedWithinSeconds)
    return { verdict: 'fix', subject, message: `${use} is ${age}, and was due for renewal`, command };
  return { verdict: 'ok', subject, message: `${use} is ${age}` };
}

/** Parameter Store changes no type, and keeps earlier values, which anyone with a right to the history can read. */
const removal = (name: string): string => `aws ssm delete-parameter --name ${shellWord(name)}`;
