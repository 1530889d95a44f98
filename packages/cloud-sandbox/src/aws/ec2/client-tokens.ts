import { isDeepStrictEqual } from 'node:util';
import { ec2Errors } from './errors.ts';

interface Answered {
  readonly parameters: unknown;
  readonly answer: unknown;
}

/** The requests with a client token that succeeded, by operation and token. EC2 forgets them after a time; these stay. */
export type ClientTokens = Map<string, Answered>;

interface Request<Input> {
  readonly operation: string;
  readonly input: Input & { readonly ClientToken?: string | undefined };
}

/**
 * Runs an operation unless its token has succeeded before: then the answer is the earlier one.
 *
 * @throws IdempotentParameterMismatch for a token that comes with other parameters.
 * @see https://docs.aws.amazon.com/ec2/latest/devguide/ec2-api-idempotency.html
 */
export function once<Input, Answer>(
  tokens: ClientTokens,
  { operation, input }: Request<Input>,
  run: (input: Input) => Answer,
): Answer {
  const { ClientToken: token, ...parameters } = input;
  if (token === undefined) return run(input);
  const key = `${operation} ${token}`;
  const before = tokens.get(key);
  if (before === undefined) {
    const answer = run(input);
    tokens.set(key, structuredClone({ parameters, answer }));
    return answer;
  }
  if (!isDeepStrictEqual(before.parameters, parameters)) throw ec2Errors.idempotentParameterMismatch();
  return structuredClone(before.answer) as Answer;
}
