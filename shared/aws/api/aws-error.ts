/** What AWS answered instead of what was asked for. */
export class AwsError extends Error {
  /** AWS's code for it: `ValidationError`, `AccessDeniedException`. */
  override readonly name: string;
  readonly statusCode: number;
  readonly requestId: string | undefined;

  constructor(answer: {
    readonly code: string;
    readonly message: string;
    readonly statusCode: number;
    readonly requestId?: string | undefined;
  }) {
    super(answer.message);
    this.name = answer.code;
    this.statusCode = answer.statusCode;
    this.requestId = answer.requestId;
  }
}
