import { parseJson } from '../../lifecycle/parse-json.ts';
import { AwsError } from './aws-error.ts';
import { jsonReader } from './json.ts';
import { type Answers, type AwsApi, post, type Service } from './service.ts';
import { readShape } from './shape.ts';

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
      const { statusCode, headers, body } = await post(service, {
        headers: {
          'content-type': `application/x-amz-json-${service.jsonVersion}`,
          'x-amz-target': `${service.targetPrefix}.${operation}`,
        },
        body: JSON.stringify(input),
      });
      if (statusCode >= 300) throw toError(statusCode, headers, body);
      return readShape(service.answers[operation], parseJson(body), jsonReader) as never;
    },
  };
}

const errorShape = { __type: 'string', message: 'string', Message: 'string' } as const;

/** The code is the end of `__type` (`com.amazonaws.sqs#QueueDoesNotExist`); between AWS and here others answer too. */
function toError(statusCode: number, headers: Readonly<Record<string, string>>, body: string): AwsError {
  const { __type, message, Message } = readShape(errorShape, parseJson(body), jsonReader) ?? {};
  return new AwsError({
    code: __type?.split('#').at(-1)?.split(':')[0] ?? `Http${statusCode}`,
    message: message ?? Message ?? `AWS answered ${statusCode} without a reason`,
    statusCode,
    requestId: headers['x-amzn-requestid'],
  });
}
