import { createManualClock } from '@drover/cloud-sandbox/test/aws/support/manual-clock.ts';
import { expect, it } from 'vitest';
import { keptInTime } from '../../../shared/identity/kept-while-away.ts';
import { answerWebhook, type WebhookContext, webhookPath } from '../../../shared/identity/webhook.ts';
import { presignedUrl, signedAt, tokenOf } from './tokens.ts';

const never = () => new Promise<never>(() => {});
const settled = () => new Promise((resolve) => setImmediate(resolve));
const secret = 's'.repeat(40);

async function callWith(token: string): Promise<Parameters<typeof answerWebhook>[1]> {
  return {
    method: 'POST',
    path: webhookPath,
    basePath: '',
    query: new URLSearchParams(),
    headers: { authorization: `Bearer ${secret}` },
    body: JSON.stringify({
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenReview',
      spec: { token },
    }),
  };
}

it('answers 503 after 18 seconds, whatever does not answer', async () => {
  const clock = createManualClock();
  const context: WebhookContext = {
    clock,
    now: () => signedAt,
    partition: 'aws',
    askSts: never,
    readSecrets: async () => ({ current: secret }),
    readMappings: [],
    findInstance: never,
    record: () => {},
    reportError: () => {},
  };
  let status: unknown;
  const asked = answerWebhook(context, await callWith(tokenOf(await presignedUrl()))).catch((error) => {
    status = error.problem.status;
  });
  await settled();
  clock.advance(17);
  await settled();
  expect(status).toBeUndefined();
  clock.advance(1);
  await asked;
  expect(status).toBe(503);
});

it('answers 503 after 18 seconds of all steps together', async () => {
  const clock = createManualClock();
  const after = (seconds: number) =>
    new Promise<void>((resolve) => void clock.after(seconds * 1000, resolve));
  const context: WebhookContext = {
    clock,
    now: () => signedAt,
    partition: 'aws',
    askSts: never,
    readSecrets: async () => {
      await after(10);
      return { current: secret };
    },
    readMappings: [],
    findInstance: never,
    record: () => {},
    reportError: () => {},
  };
  let status: unknown;
  const asked = answerWebhook(context, await callWith(tokenOf(await presignedUrl()))).catch((error) => {
    status = error.problem.status;
  });
  for (let seconds = 1; seconds <= 17; seconds += 1) {
    await settled();
    clock.advance(1);
  }
  await settled();
  expect(status).toBeUndefined();
  clock.advance(1);
  await Promise.race([asked, settled()]);
  expect(status).toBe(503);
});

it('gives a reading of a source five seconds', async () => {
  const clock = createManualClock();
  const patience = { clock, chance: () => 0.5, isThrottled: () => false };
  const read = keptInTime({ patience, log: {} as never, what: 'the mapping', read: never });
  let failure: unknown;
  const reading = read().catch((error: unknown) => {
    failure = error;
  });
  await settled();
  clock.advance(4);
  await settled();
  expect(failure).toBeUndefined();
  clock.advance(1);
  await reading;
  expect(failure).toMatchObject({ message: 'no answer within 5 s' });
});
