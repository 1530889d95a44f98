import type { ZodOpenApiResponsesObject } from 'zod-openapi';
import { type ProblemCode, problems, problemType } from '../../shared/http/problem.ts';
import { problem } from '../../shared/http/schemas/answers/problem.ts';

/** The answers to these problems, by status; each says which types of problem it can be. */
export function problemResponses(...codes: readonly ProblemCode[]): ZodOpenApiResponsesObject {
  const byStatus = Map.groupBy(codes, (code) => String(problems[code].status));
  return Object.fromEntries(
    [...byStatus].map(([status, ofStatus]) => [
      status,
      {
        description: ofStatus.map((code) => `${problems[code].title} (${problemType(code)})`).join('. '),
        content: { 'application/problem+json': { schema: problem } },
      },
    ]),
  );
}
