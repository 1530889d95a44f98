import * as z from 'zod/mini';
import type { ZodOpenApiResponsesObject } from 'zod-openapi';
import { type ProblemCode, problems, problemType } from '../../shared/scale-api/problem.ts';
import { problem } from '../../shared/scale-api/schemas/answers/problem.ts';

/** https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-quotas.html */
const tooLong = {
  '431': { description: 'From API Gateway: the request line and the headers have more than 10,240 bytes' },
};

const gatewayMessage = z.object({ message: z.string() }).check(
  z.meta({
    id: 'GatewayMessage',
    description: 'Of API Gateway: the request is not signed, or IAM denies it',
  }),
);

/** The answers to these problems, by status; each says which types of problem it can be. */
export function problemResponses(...codes: readonly ProblemCode[]): ZodOpenApiResponsesObject {
  const byStatus = Map.groupBy(codes, (code) => String(problems[code].status));
  const answers = Object.fromEntries(
    [...byStatus].map(([status, ofStatus]) => [
      status,
      {
        description: ofStatus.map((code) => `${problems[code].title} (${problemType(code)})`).join('. '),
        content: {
          'application/problem+json': { schema: problem },
          ...(status === '403' && { 'application/json': { schema: gatewayMessage } }),
        },
      },
    ]),
  );
  return { ...answers, ...tooLong };
}
