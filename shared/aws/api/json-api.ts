import { parseJson } from '../../base/parse-json.ts';
import { AwsError } from './aws-error.ts';
import { jsonReader } from './json.ts';
import { type Answers, type AwsApi, post, type Service, type TextAnswer } from './service.ts';
import { readShape, type StructureShape } from './shape.ts';
import { UnreadableAnswerError } from './unreadable-answer.ts';

export interface JsonService<Shapes> extends Service {
  readonly jsonVersion: '1.0' | '1.1';
  /** What operations are called after in `x-amz-target`: `AmazonSSM`. */
  readonly targetPrefix: string;
  readonly answers: Shapes;
}

/** A service that is asked in JSON and answers in it: AWS's JSON protocols. */
export function jsonApi<Inputs, Shapes extends Answers<Inputs>>(
  service: JsonService<Shapes>,
): AwsApi<Inputs, Shapes> {
  return {
    call: async (operation, input) => {
      const answer = await post(service, {
        headers: {
          'content-type': `application/x-amz-json-${service.jsonVersion}`,
          'x-amz-target': `${service.targetPrefix}.${operation}`,
        },
        body: JSON.stringify(input),
      });
      if (answer.statusCode >= 300) throw toError(answer);
      const shape = service.answers[operation];
      return readShape(shape, objectOf(answer, { operation, shape }), jsonReader) as never;
    },
  };
}

/** An operation of whose answer nothing is read may answer with nothing. */
function objectOf(
  answer: TextAnswer,
  { operation, shape }: { readonly operation: string; readonly shape: StructureShape },
): object {
  if (answer.body === '' && Object.keys(shape).length === 0) return {};
  const value = parseJson(answer.body);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new UnreadableAnswerError({ operation, answer, expected: 'JSON' });
}

const errorShape = { __type: 'string', code: 'string', message: 'string', Message: 'string' } as const;

/**
 * The code is the end of `__type` (`com.amazonaws.sqs#QueueDoesNotExist`), or of what Smithy's awsJson1_1 allows in its place: the
 * header X-Amzn-Errortype or a member `code`. Between AWS and here others answer too.
 */
function toError({ statusCode, headers, body }: TextAnswer): AwsError {
  const { __type, code, message, Message } = readShape(errorShape, parseJson(body), jsonReader) ?? {};
  const type = __type ?? headers['x-amzn-errortype'] ?? code;
  return new AwsError({
    code: type?.split('#').at(-1)?.split(':')[0] ?? `Http${statusCode}`,
    message: message ?? Message ?? `AWS answered ${statusCode} without a reason`,
    statusCode,
    requestId: headers['x-amzn-requestid'],
  });
}
