import type { TextAnswer } from './service.ts';

export interface UnreadableAnswer {
  readonly operation: string;
  readonly answer: TextAnswer;
  readonly expected: 'JSON' | 'XML';
  readonly cause?: unknown;
}

/** An answer that is no answer of AWS's: something between AWS and here has given it. Never carries what it held. */
export class UnreadableAnswerError extends Error {
  override readonly name = 'UnreadableAnswerError';
  readonly statusCode: number;
  readonly requestId: string | undefined;

  constructor({ operation, answer, expected, cause }: UnreadableAnswer) {
    const { statusCode, headers, body } = answer;
    const type = headers['content-type'] ?? 'no content type';
    super(
      `AWS answered ${operation} with ${statusCode} and ${body.length} characters (${type}) that are not its ${expected}; is there a proxy?`,
      { cause },
    );
    this.statusCode = statusCode;
    this.requestId = headers['x-amzn-requestid'];
  }
}
