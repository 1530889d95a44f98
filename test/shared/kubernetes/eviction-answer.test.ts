import { describe, expect, it } from 'vitest';
import { evictionAnswer } from '../../../shared/kubernetes/pods.ts';
import { json, type StatusParts, status } from '../../support/scripted-api.ts';

const violates = "Cannot evict pod as it would violate the pod's disruption budget.";
const needs = 'The disruption budget web needs 2 healthy pods and has 2 currently';

const rows: readonly (readonly [string, StatusParts, object])[] = [
  ['not found', { code: 404 }, { kind: 'gone' }],
  [
    'another UID',
    {
      code: 409,
      message: 'Operation cannot be fulfilled on Pod "a": the UID in the precondition (x) does not match',
    },
    { kind: 'gone' },
  ],
  ['another conflict', { code: 409, message: 'the object has been modified' }, { kind: 'throttled' }],
  [
    'a budget',
    { code: 429, message: violates, causes: [{ reason: 'DisruptionBudget', message: needs }] },
    { kind: 'held', message: needs },
  ],
  [
    'a budget that allows nothing, which Kubernetes 1.37 forbids',
    {
      code: 403,
      message: 'poddisruptionbudgets.policy "web" is forbidden: pdb disruptions allowed is negative',
      causes: [{ reason: 'DisruptionBudget', message: needs }],
    },
    { kind: 'held', message: needs },
  ],
  [
    'a budget not yet observed',
    {
      code: 429,
      message: violates,
      causes: [{ reason: 'DisruptionBudget', message: 'still being processed' }],
      retryAfterSeconds: 10,
    },
    { kind: 'held', retryAfterSeconds: 10 },
  ],
  [
    'priority and fairness',
    { code: 429, message: 'too many requests', headers: { 'retry-after': '1' } },
    { kind: 'throttled', retryAfterSeconds: 1 },
  ],
  [
    'a namespace that goes',
    { code: 403, message: 'namespace is terminating', causes: [{ reason: 'NamespaceTerminating' }] },
    { kind: 'namespace-terminating' },
  ],
  ['no permission', { code: 403, message: 'pods is forbidden' }, { kind: 'refused', statusCode: 403 }],
  [
    'two budgets',
    {
      code: 500,
      message:
        'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
    },
    { kind: 'several-budgets' },
  ],
  ['a failing webhook', { code: 500, message: 'webhook' }, { kind: 'refused', statusCode: 500 }],
  [
    'a webhook that denies for now',
    { code: 429, message: 'admission webhook "a.example.com" denied the request: not yet' },
    { kind: 'held', message: 'admission webhook "a.example.com" denied the request: not yet' },
  ],
  [
    'a webhook that cannot be called',
    { code: 503, message: 'Internal error occurred: failed calling webhook "a.example.com": no endpoints' },
    { kind: 'refused', statusCode: 503 },
  ],
  ['a server in trouble', { code: 503 }, { kind: 'throttled', message: 'the API server answered 503' }],
  [
    'a budget’s status in conflict',
    { code: 504, reason: 'Timeout', retryAfterSeconds: 10 },
    { kind: 'throttled' },
  ],
];

describe('the answer to an eviction', () => {
  it.each(rows)('that says %s', (_, parts, expected) => {
    expect(evictionAnswer(status(parts))).toMatchObject(expected);
  });

  it.each([409, 429, 502, 503, 504])('that is %i says when to ask again', (code) => {
    expect(evictionAnswer(status({ code, message: 'later', headers: { 'retry-after': '7' } }))).toMatchObject(
      {
        kind: 'throttled',
        retryAfterSeconds: 7,
      },
    );
  });

  it('that is a success is an eviction', () => {
    expect(evictionAnswer(json(201, {}))).toEqual({ kind: 'evicted' });
  });

  it('that is a proxy’s page is read by its beginning', () => {
    const answer = evictionAnswer({ status: 500, headers: {}, body: `<html>${'x'.repeat(9000)}` });
    expect(answer.kind).toBe('refused');
    expect('message' in answer && answer.message.length).toBe(400);
  });
});

it('an answer without a Status is about the API server, and not about the pod', () => {
  const tooMany = {
    status: 429,
    headers: { 'retry-after': '1' },
    body: 'Too many requests, please try again later.',
  };
  expect(evictionAnswer(tooMany)).toMatchObject({ kind: 'throttled', isServers: true, retryAfterSeconds: 1 });
  expect(evictionAnswer({ status: 503, headers: {}, body: '<html>no backend</html>' })).toMatchObject({
    kind: 'throttled',
    isServers: true,
  });
});
