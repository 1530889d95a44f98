import { refusalOf } from '../../../shared/aws/errors.ts';
import { createParameterStore } from '../../../shared/aws/parameters.ts';
import { isoSeconds } from '../../../shared/base/iso-seconds.ts';
import { checkOf, type Finding } from '../check.ts';
import { type Credential, readCredential } from '../credential.ts';
import type { DoctorContext } from '../doctor-context.ts';
import { type StoredParameter, storedParameters } from '../stored-parameters.ts';

interface ObservedCredential extends Pick<StoredParameter, 'name' | 'use' | 'content' | 'command'> {
  readonly at: number;
  readonly found: Credential | { readonly kind: 'denied' };
}

/**
 * What the parameters hold: whether it can be read as the functions read it, and how long it is valid. An operator may lack the
 * right to decrypt them, so that a refusal does not mean that the deployment is broken.
 */
export const credentials = checkOf({
  name: 'credentials',
  read: async (context): Promise<readonly ObservedCredential[]> => {
    const found = await Promise.all(
      (await storedParameters(context)).map(async (parameter) => await observe(parameter, context)),
    );
    return found.flat();
  },
  judge: (found) => found.map(judgeCredential),
});

/** Nothing if there is no such parameter: the check `parameters` reports that. */
async function observe(
  parameter: StoredParameter,
  { ssm, at, clusterName }: DoctorContext,
): Promise<readonly ObservedCredential[]> {
  try {
    const stored = await createParameterStore(ssm).read(parameter.name);
    if (stored === undefined) return [];
    const { content } = parameter;
    const found = await readCredential({ text: stored.value, content, clusterName });
    return [{ ...parameter, at, found }];
  } catch (error) {
    if (refusalOf(error) === 'denied') return [{ ...parameter, at, found: { kind: 'denied' } }];
    throw error;
  }
}

/** Half of the thirty days that `drover pki` gives the client certificate for etcd. */
const soonDays = 15;
const dayMilliseconds = 86_400_000;

/** Pure. */
export function judgeCredential({
  name: subject,
  use,
  command,
  content,
  at,
  found,
}: ObservedCredential): Finding {
  if (found.kind === 'denied')
    return { verdict: 'advice', subject, message: `you may not read ${use}: what it holds is unknown` };
  if (found.kind === 'unusable')
    return content.kind === 'bootstrap credential'
      ? { verdict: 'advice', subject, message: `${use} is not replaced by Drover: ${found.why}` }
      : { verdict: 'fix', subject, message: found.why, command };
  const { what, notBefore = at, notAfter } = found;
  if (notBefore > at)
    return {
      verdict: 'fix',
      subject,
      message: `${use}: ${what}, valid only from ${isoSeconds(notBefore)}`,
      command,
    };
  if (notAfter === undefined) return { verdict: 'ok', subject, message: `${use}: ${what}` };
  if (notAfter <= at)
    return {
      verdict: 'fix',
      subject,
      message: `${use}: ${what}, which expired on ${isoSeconds(notAfter)}`,
      command,
    };
  const message = `${use}: ${what}, valid until ${isoSeconds(notAfter)}`;
  return notAfter - at < soonDays * dayMilliseconds
    ? { verdict: 'advice', subject, message, command }
    : { verdict: 'ok', subject, message };
}
