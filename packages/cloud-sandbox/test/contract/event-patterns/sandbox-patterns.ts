import { compilePattern, type EventTest } from '../../../src/aws/events/pattern.ts';
import { AwsError } from '../../../src/aws/service.ts';
import type { PatternWorld } from './support.ts';

/** The event patterns of the sandbox. */
export const sandboxPatterns: PatternWorld = {
  ask: async (pattern, events) => {
    const test = compiled(pattern);
    return test === 'refused' ? test : events.map((event) => test(JSON.parse(event)));
  },
};

function compiled(pattern: string): EventTest | 'refused' {
  try {
    return compilePattern(pattern);
  } catch (error) {
    if (error instanceof AwsError && error.code === 'InvalidEventPatternException') return 'refused';
    throw error;
  }
}
