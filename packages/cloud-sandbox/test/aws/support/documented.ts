import { test } from 'vitest';

/** A sentence without its subject, the page of the documentation that states it, and the test that the sandbox behaves so. */
type Rule = (sentence: string, page: string, run: () => void) => void;

/**
 * Tests of rules that no emulator models: their only source is the named page of AWS's documentation. Each claims a row of
 * docs/truth.md in the column `documentation`. A page that begins with `API_` is in the API reference, any other in the user
 * guide of EC2 Auto Scaling (https://docs.aws.amazon.com/autoscaling/ec2/). `owner/name#1` beside it is a report on GitHub of what was seen.
 */
export const documented =
  (area: string, subject: string): Rule =>
  (sentence, page, run) => {
    const behaviour = `${subject} ${sentence} (${page})`;
    test(sentence, { meta: { claim: { area, behaviour, world: 'documentation' } } }, run);
  };

/** Rules of lifecycle hooks. */
export const hookRule = (subject: string): Rule => documented('Lifecycle hooks', subject);

/** Rules of how groups replace instances. */
export const replacementRule = (subject: string): Rule => documented('Replacing instances', subject);
