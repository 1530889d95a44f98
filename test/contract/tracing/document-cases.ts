import type { Cases } from '@drover/cloud-sandbox/truth/contract.ts';
import { expect } from 'vitest';
import type { CallOutcome, TracedCall } from '../../../shared/base/trace.ts';
import { parentId, traceId } from '../../support/xray.ts';

/** What a reader of X-Ray's documents has understood of one. */
export interface Shown {
  readonly traceId: string;
  readonly id: string;
  readonly parentId: string;
  readonly name: string;
  readonly operation?: string | undefined;
  readonly url?: string | undefined;
  readonly status?: number | undefined;
  readonly hasFailed: boolean;
  readonly isOpen: boolean;
  readonly errorName?: string | undefined;
}

export interface DocumentWorld {
  /** Sends a call as Drover does; without an outcome, one that has no answer when its invocation ends. */
  readonly show: (call: TracedCall, outcome?: CallOutcome) => Promise<Shown>;
}

const parameter: TracedCall = {
  name: 'SSM',
  namespace: 'aws',
  operation: 'GetParameter',
  region: 'eu-west-1',
};
const node: TracedCall = {
  name: 'Kubernetes prod',
  namespace: 'remote',
  method: 'PATCH',
  url: 'https://api.example.com:6443/api/v1/nodes/{name}',
};

export const documentCases: Cases<DocumentWorld> = {
  'a call to AWS is taken with its operation and status, below the segment of the function': async ({
    show,
  }) => {
    const shown = await show(parameter, { status: 200 });
    expect(shown).toMatchObject({ traceId, parentId, name: 'SSM', operation: 'GetParameter', status: 200 });
    expect(shown).toMatchObject({ hasFailed: false, isOpen: false });
    expect(shown.id).toMatch(/^[0-9a-f]{16}$/);
  },
  'a throttled call is taken as failed, with the name of the error': async ({ show }) => {
    const outcome = { status: 400, isThrottled: true, errorName: 'ThrottlingException' };
    expect(await show(parameter, outcome)).toMatchObject({
      status: 400,
      hasFailed: true,
      errorName: 'ThrottlingException',
    });
  },
  'a request to the API server is taken with its method and the template of its path': async ({ show }) => {
    expect(await show(node, { status: 200 })).toMatchObject({
      name: 'Kubernetes prod',
      url: node.url,
      status: 200,
      hasFailed: false,
    });
  },
  'a request without an answer is taken as failed': async ({ show }) => {
    expect(await show(node, { errorName: 'TimeoutError' })).toMatchObject({
      status: undefined,
      hasFailed: true,
      errorName: 'TimeoutError',
    });
  },
  'a call that is open when the invocation ends is taken as in progress': async ({ show }) => {
    expect(await show(node)).toMatchObject({ isOpen: true, hasFailed: false });
  },
  'a name with every character that is kept is taken': async ({ show }) => {
    const name = 'Kubernetes a-b.c_d:/%&#=+@1';
    expect(await show({ ...node, name }, { status: 200 })).toMatchObject({ name });
  },
};
