/** A text that may keep a refused wording. */
interface Allowance {
  readonly file: string;
  /** As in the file. */
  readonly text: string;
  /** Why the text cannot be rewritten. */
  readonly reason: string;
}

/** For quotations of upstream texts and for values that machines read. What we write ourselves is rewritten instead. */
export const allowances: readonly Allowance[] = [
  {
    file: 'packages/cloud-sandbox/test/package.packaging.test.ts',
    text: 'sandbox.doors.aws.url',
    reason: 'a member of the public interface of the package, in a program that the test runs',
  },
];
