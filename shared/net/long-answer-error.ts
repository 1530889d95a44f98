/** The answer is longer than its request takes, before or after it is decompressed. */
export class LongAnswerError extends Error {
  override readonly name = 'LongAnswerError';

  constructor(longestBytes: number, options?: ErrorOptions) {
    super(`the answer exceeds ${longestBytes} bytes`, options);
  }
}
