import type { Status } from 'kubernetes-types/meta/v1.d.ts';
import type { HttpResponse } from '../../../../src/net/http.ts';

/** What a client reads of an answer: the code twice, its reason, its details, and how long it is to wait. */
export interface Answer {
  readonly httpStatus: number;
  readonly status: Status;
  readonly retryAfter: string | undefined;
}

export const answerOf = ({ status, headers, body }: HttpResponse): Answer => ({
  httpStatus: status,
  status: JSON.parse(body),
  retryAfter: headers['retry-after'],
});

/** The Status of a success. */
export const granted: Answer = {
  httpStatus: 201,
  status: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 },
  retryAfter: undefined,
};

/** The Status of a failure, with these in it. */
export const refused = (parts: Status & { readonly code: number }, retryAfter?: string): Answer => ({
  httpStatus: parts.code,
  status: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', ...parts },
  retryAfter,
});

/** The 429 of a budget, with the words of its cause. */
export const heldBack = (cause: string, retryAfterSeconds?: number): Answer =>
  refused(
    {
      code: 429,
      reason: 'TooManyRequests',
      message: "Cannot evict pod as it would violate the pod's disruption budget.",
      details: {
        ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
        causes: [{ reason: 'DisruptionBudget', message: cause }],
      },
    },
    retryAfterSeconds?.toString(),
  );

export const badRequest = (message: string): Answer => refused({ code: 400, reason: 'BadRequest', message });
