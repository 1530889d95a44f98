import { test } from 'vitest';

/** A rule in a sentence that goes on after its subject, the page that has it, and what shows that the sandbox keeps it. */
type Rule = (sentence: string, page: string, run: () => void) => void;

/**
 * Tests of rules that no emulator models: nobody but the named page of AWS's documentation says so besides us. Each claims a
 * row of docs/truth.md in the column `documentation`. A page that begins with `API_` is of the API reference, any other of the
 * user guide of EC2 Auto Scaling (https://docs.aws.amazon.com/autoscaling/ec2/).
 */
export const documented =
  (area: string, subject: string): Rule =>
  (sentence, page, run) => {
    const behaviour = `${subject} ${sentence} (${page})`;
    test(sentence, { meta: { claim: { area, behaviour, world: 'documentation' } } }, run);
  };

/** Rules of lifecycle hooks. */
export const hookRule = (subject: string): Rule => documented('Lifecycle hooks', subject);
