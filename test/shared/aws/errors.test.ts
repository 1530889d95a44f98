import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { isThrottlingError } from '@smithy/core/retry';
import { describe, expect, it } from 'vitest';
import { AwsError } from '../../../shared/aws/api/aws-error.ts';
import { isThrottled } from '../../../shared/aws/errors.ts';

/** Every name that stands in the SDK's module on retries: its codes of all kinds, and much else. */
function namesInTheSdk(): readonly string[] {
  const source = readFileSync(createRequire(import.meta.url).resolve('@smithy/core/retry'), 'utf8');
  return [...new Set([...source.matchAll(/"([A-Z]\w+)"/g)].map(([, name = '']) => name))];
}

const answered = (code: string, statusCode = 400): AwsError =>
  new AwsError({ code, message: 'no', statusCode });

describe('an error', () => {
  it('is a throttle where the SDK takes it for one', () => {
    const names = namesInTheSdk();
    const throttles = names.filter((name) => isThrottlingError({ name, message: 'no' }));
    expect(names.filter((name) => isThrottled(answered(name)))).toEqual(throttles);
    expect(throttles.length).toBeGreaterThan(10);
    expect(throttles.length).toBeLessThan(names.length);
  });

  it('is one by its status alone, whatever answered', () => {
    expect(isThrottled(answered('Http429', 429))).toBe(true);
    expect(isThrottled(answered('Http500', 500))).toBe(false);
    expect(isThrottled('Throttling')).toBe(false);
  });
});
