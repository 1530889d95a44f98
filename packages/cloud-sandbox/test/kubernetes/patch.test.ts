import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonPatch } from '../../src/kubernetes/patch/json-patch.ts';
import { mergePatch } from '../../src/kubernetes/patch/merge-patch.ts';
import { strategicMergePatch } from '../../src/kubernetes/patch/strategic.ts';
import { bodyOf, createCluster, deployment } from './support.ts';

describe('a strategic merge patch', () => {
  it('merges lists by their keys and follows its directives', () => {
    const pod = {
      spec: {
        containers: [
          { name: 'a', image: '1' },
          { name: 'b', image: '2' },
        ],
        args: ['x'],
      },
      metadata: { finalizers: ['one'] },
    };
    const patch = {
      spec: {
        containers: [{ name: 'a', image: '3' }, { name: 'b', $patch: 'delete' }, { name: 'c' }],
        args: ['y'],
      },
      metadata: { finalizers: ['two'], '$deleteFromPrimitiveList/finalizers': ['one'] },
    };
    expect(strategicMergePatch(pod, patch)).toEqual({
      spec: { containers: [{ name: 'a', image: '3' }, { name: 'c' }], args: ['y'] },
      metadata: { finalizers: ['two'] },
    });
  });

  it('removes null fields, and replaces maps with $patch', () => {
    expect(
      strategicMergePatch({ spec: { unschedulable: true, podCIDR: 'x' } }, { spec: { unschedulable: null } }),
    ).toEqual({ spec: { podCIDR: 'x' } });
    expect(
      strategicMergePatch({ selector: { a: '1' } }, { selector: { b: '2', $patch: 'replace' } }),
    ).toEqual({ selector: { b: '2' } });
  });

  it('does not change an object that already has its values', () => {
    const labels = fc.dictionary(fc.string(), fc.string());
    fc.assert(
      fc.property(labels, (labels) => {
        const object = { metadata: { labels }, spec: { taints: [{ key: 'a', effect: 'NoSchedule' }] } };
        expect(strategicMergePatch(object, object)).toEqual(object);
      }),
      { examples: [[{}]] },
    );
  });
});

describe('a JSON merge patch', () => {
  it('is idempotent', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.dictionary(fc.string(), fc.jsonValue()),
        (target, patch) => {
          const once = mergePatch(target, patch);
          expect(mergePatch(once, patch)).toEqual(once);
        },
      ),
    );
  });
});

describe('a JSON patch', () => {
  it('adds, replaces, removes, moves and tests', () => {
    const operations = [
      { op: 'test', path: '/a/0', value: 1 },
      { op: 'add', path: '/a/-', value: 3 },
      { op: 'remove', path: '/a/0' },
      { op: 'move', from: '/b~1c', path: '/d' },
    ];
    expect(jsonPatch({ a: [1, 2], 'b/c': true }, operations)).toEqual({ a: [2, 3], d: true });
    expect(() => jsonPatch({}, [{ op: 'remove', path: '/none' }])).toThrow(/rejected our request/);
  });
});

describe('server-side apply', () => {
  const path = '/apis/apps/v1/namespaces/default/deployments/web';
  const apply = { 'content-type': 'application/apply-patch+yaml' };
  const web = (fields: object) => ({ apiVersion: 'apps/v1', kind: 'Deployment', ...fields });

  it('creates objects, removes the fields that its manager drops, and keeps those of other managers', async () => {
    const { call } = createCluster();
    const labelled = (labels: object) => ({ ...deployment('web', 1), metadata: { name: 'web', labels } });
    expect(
      (await call('PATCH', `${path}?fieldManager=one`, labelled({ a: '1', b: '1' }), apply)).status,
    ).toBe(201);
    await call('PATCH', `${path}?fieldManager=two`, web({ metadata: { labels: { b: '1', c: '1' } } }), apply);
    const { metadata } = bodyOf(await call('PATCH', `${path}?fieldManager=one`, labelled({ a: '1' }), apply));
    expect(metadata.labels).toEqual({ a: '1', b: '1', c: '1' });
    const last = bodyOf(
      await call('PATCH', `${path}?fieldManager=two`, web({ metadata: { labels: { c: '1' } } }), apply),
    );
    expect(last.metadata.labels).toEqual({ a: '1', c: '1' });
  });

  it('conflicts over a field that another manager applies with another value, unless it is forced', async () => {
    const { call } = createCluster();
    await call('PATCH', `${path}?fieldManager=one`, deployment('web', 1), apply);
    const refused = await call('PATCH', `${path}?fieldManager=two`, web({ spec: { replicas: 3 } }), apply);
    expect([refused.status, bodyOf(refused).details.causes[0].field]).toEqual([409, '.spec.replicas']);
    const forced = await call(
      'PATCH',
      `${path}?fieldManager=two&force=true`,
      web({ spec: { replicas: 3 } }),
      apply,
    );
    expect(bodyOf(forced).spec.replicas).toBe(3);
  });
});
