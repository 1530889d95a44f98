import * as z from 'zod/mini';
import { lazily } from '../../shared/base/lazily.ts';
import { parseJson } from '../../shared/base/parse-json.ts';

const texts = () => z.union([z.string(), z.array(z.string())]);
const principal = () => z.union([z.string(), z.record(z.string(), texts())]);
const statement = () =>
  z.object({
    Effect: z.string(),
    Action: z.optional(texts()),
    NotAction: z.optional(texts()),
    Principal: z.optional(principal()),
    NotPrincipal: z.optional(principal()),
  });
const schema = lazily(() => z.object({ Statement: z.union([statement(), z.array(statement())]) }));
type Statement = z.infer<ReturnType<typeof statement>>;

/** EC2 in each partition (IAM User Guide, "AWS service principals"). */
const ec2 = new Set(['Service ec2.amazonaws.com', 'Service ec2.amazonaws.com.cn']);

/** The trust policy of a role that only EC2 may assume. */
export const onlyEc2 = JSON.stringify({
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Principal: { Service: 'ec2.amazonaws.com' }, Action: 'sts:AssumeRole' }],
});

/**
 * What may assume a role besides EC2, by its trust policy as GetRole gives it. Conditions and denials are not weighed: they make a list that is too
 * long, and never one that is too short; undefined if the policy cannot be parsed. Pure.
 */
export function othersThanEc2(document: string): readonly string[] | undefined {
  const parsed = schema().safeParse(parseJson(decoded(document)));
  if (!parsed.success) return undefined;
  const others = [parsed.data.Statement].flat().filter(letsAssume).flatMap(principalsOf);
  return [...new Set(others.filter((one) => !ec2.has(one)))];
}

/** IAM gives it URL-encoded. */
function decoded(document: string): string {
  try {
    return decodeURIComponent(document);
  } catch {
    return document;
  }
}

function letsAssume({ Effect, Action, NotAction }: Statement): boolean {
  if (Effect !== 'Allow') return false;
  if (NotAction !== undefined) return true;
  return [Action ?? []].flat().some((action) => assuming.some((one) => matches(action, one)));
}

const assuming = ['sts:AssumeRole', 'sts:AssumeRoleWithWebIdentity', 'sts:AssumeRoleWithSAML'];

/**
 * Whether a text fits `*` and `?` of a policy, in any case. A failed match goes back to the last `*` only: a regular expression with as many
 * `.*` would try every division of the text among them.
 */
function matches(action: string, text: string): boolean {
  const [wanted, given] = [action.toLowerCase(), text.toLowerCase()];
  let [at, star, resume] = [0, -1, 0];
  for (let read = 0; read < given.length; read += 1) {
    if (wanted[at] === '*') {
      [star, resume] = [at, read];
      at += 1;
      read -= 1;
    } else if (wanted[at] === '?' || wanted[at] === given[read]) at += 1;
    else if (star >= 0) {
      at = star + 1;
      read = resume;
      resume += 1;
    } else return false;
  }
  return /^\**$/.test(wanted.slice(at));
}

function principalsOf({ Principal, NotPrincipal }: Statement): readonly string[] {
  if (NotPrincipal !== undefined) return ['everything but what NotPrincipal names'];
  if (Principal === undefined || typeof Principal === 'string') return [Principal ?? '*'];
  return Object.entries(Principal).flatMap(([kind, names]) =>
    [names].flat().map((name) => `${kind} ${name}`),
  );
}
