import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { type Part, parts } from '../../../cli/rbac/parts.ts';
import { selectManifests } from '../../../cli/rbac/select.ts';
import { createDroverWorld, type DroverWorld } from '../../../local/world/drover-world.ts';
import { eksWorld, withPodHolds } from '../adopt/worlds.ts';
import { operatorOf } from '../operator.ts';

interface Printed {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly rules?: readonly {
    readonly apiGroups: readonly string[];
    readonly resources: readonly string[];
  }[];
  readonly subjects?: readonly { readonly kind: string }[];
}

const rbac = readFileSync('deploy/rbac.yaml', 'utf8');
const objectsIn = (yaml: string): readonly Printed[] =>
  parseAllDocuments(yaml).map((document) => document.toJS() as Printed);
const namesIn = (yaml: string): readonly string[] => objectsIn(yaml).map(({ metadata }) => metadata.name);
const resourcesIn = (yaml: string): readonly string[] =>
  objectsIn(yaml).flatMap(({ rules = [] }) => rules.flatMap(({ resources }) => resources));

const everything = '--features bootstrap certificates identity pod-holds rolls --admission none';
const optional = ['drover-certificates', 'drover-bootstrap-tokens', 'drover-node-bootstrapper'];

describe('drover rbac', () => {
  const run = operatorOf(createDroverWorld());

  it('prints deploy/rbac.yaml if every feature is on', async () => {
    const { code, out } = await run(`rbac ${everything}`);
    expect({ code, out }).toEqual({ code: 0, out: rbac });
  });

  it('reads from the rules of the deployment which features are on', async () => {
    const { code, out, err } = await run('rbac --admission none');
    expect({ code, err }).toMatchObject({
      code: 0,
      err: expect.stringContaining('has bootstrap and certificates and pod-holds and rolls'),
    });
    expect(namesIn(out)).toEqual(namesIn(rbac).filter((name) => name !== 'drover-identity-mapping'));
    const editWiring = (wiring: DroverWorld['wiring']) => withPodHolds(wiring, 'off');
    const without = await operatorOf(createDroverWorld({ editWiring }))('rbac --admission none');
    expect(without.err).toContain('has bootstrap and certificates and rolls;');
    expect(namesIn(without.out)).toEqual(namesIn(out).filter((name) => name !== 'drover-planner'));
  });

  it('names the parameters that no rule of the deployment shows, each with its flag', async () => {
    const { err } = await run('rbac');
    expect(err).toContain(
      'identityConfigMap is not off, give --features bootstrap certificates pod-holds rolls identity\n',
    );
    expect(err).toContain(
      'bootstrapGroups is not system:bootstrappers:drover:worker, give it as --bootstrap-groups',
    );
    const named = await run('rbac --bootstrap-groups system:bootstrappers:drover:worker');
    expect(named.err).not.toContain('--bootstrap-groups');
    const eks = await operatorOf(await eksWorld('API'))('rbac');
    expect(eks.err).toContain('give --features identity\n');
    expect(eks.err).not.toContain('--bootstrap-groups');
  });

  it('needs no flag for bootstrapRoles: rights and policy are for tokens of both roles', async () => {
    const { out } = await run('rbac');
    for (const role of ['worker', 'control-plane']) {
      expect(out).toContain(`name: system:bootstrappers:drover:${role}\n`);
      expect(out).toContain(Buffer.from(`system:bootstrappers:drover:${role}`).toString('base64'));
    }
  });

  it('prints no right on Secrets and no approval on EKS without bootstrap and certificates', async () => {
    const { code, out, err } = await operatorOf(await eksWorld('API'))('rbac --no-service-account');
    expect({ code, err }).toMatchObject({ code: 0, err: expect.stringContaining('no optional feature') });
    expect(namesIn(out).filter((name) => optional.includes(name))).toEqual([]);
    expect(resourcesIn(out)).not.toContain('secrets');
    expect(resourcesIn(out).join()).not.toMatch(/certificatesigningrequests|signers/);
    expect(out).not.toContain('kind: ServiceAccount');
  });

  it('prints for OpenShift 3.11 approvals by update, without signers and without a policy', async () => {
    const { code, out } = await run('rbac --features certificates --openshift-3.11');
    expect(code).toBe(0);
    expect(resourcesIn(out)).not.toContain('signers');
    expect(out).toContain('resources: [certificatesigningrequests/approval]\n    verbs: [update]\n');
    const { out: current } = await run('rbac --features certificates');
    expect(namesIn(out)).toEqual(namesIn(current));
  });

  it.each(['', ' --features bootstrap', ' --without certificates'])(
    'refuses bootstrap tokens for OpenShift 3.11, which cannot prove one: rbac%s',
    async (flags) => {
      const { code, err, out } = await run(`rbac${flags} --openshift-3.11`);
      expect({ code, out }).toEqual({ code: 2, out: '' });
      expect(err).toContain('deploy with bootstrap: off');
    },
  );

  it('calls nothing if the features are named', async () => {
    const calls: unknown[] = [];
    const offline = operatorOf(createDroverWorld(), { onAwsCall: () => calls.push(1) });
    expect(await offline('rbac --features none')).toMatchObject({ code: 0 });
    expect(await offline('rbac --without certificates')).toMatchObject({ code: 0 });
    expect(calls).toEqual([]);
  });

  it('refuses none beside a feature, of which one is a mistake', async () => {
    for (const features of ['none bootstrap', 'certificates none'])
      expect(await run(`rbac --features ${features}`)).toMatchObject({ code: 2, out: '' });
  });

  it('guesses no feature if no deployment serves the cluster', async () => {
    const result = await run('rbac --cluster elsewhere');
    expect(result).toMatchObject({ code: 1, out: '', err: expect.stringContaining('--features') });
    const nameless = operatorOf(createDroverWorld(), { environment: { DROVER_CLUSTER: undefined } });
    expect(await nameless('rbac')).toMatchObject({ code: 2, out: '' });
  });

  it('leaves out the named parts, and nothing else', async () => {
    const { out } = await run('rbac --without certificates bootstrap');
    expect(namesIn(out)).toEqual(namesIn(rbac).filter((name) => !optional.includes(name)));
  });

  it('leaves out the making of tokens alone, for instances that ask with their own', async () => {
    expect(namesIn((await run('rbac --without bootstrap-tokens')).out)).toEqual(
      namesIn(rbac).filter((name) => name !== 'drover-bootstrap-tokens'),
    );
  });

  it('refuses a part or a feature that does not exist', async () => {
    expect(await run('rbac --without nodes')).toMatchObject({ code: 2 });
    expect(await run('rbac --features nodes')).toMatchObject({ code: 2 });
    expect(await run('rbac --features none --without identity')).toMatchObject({ code: 2 });
  });
});

describe('the admission policies of drover rbac', () => {
  const run = operatorOf(createDroverWorld());
  const policiesIn = (yaml: string): readonly string[] =>
    objectsIn(yaml)
      .filter(({ kind }) => kind === 'ValidatingAdmissionPolicy')
      .map(({ metadata }) => metadata.name);

  it('come with the right to create Secrets, and before it', async () => {
    const { out } = await run('rbac --features bootstrap');
    expect(policiesIn(out)).toEqual(['drover-bootstrap-tokens']);
    expect(objectsIn(out).findIndex(({ kind }) => kind === 'ValidatingAdmissionPolicyBinding')).toBeLessThan(
      objectsIn(out).findIndex(({ kind }) => kind === 'Role'),
    );
    expect(policiesIn((await run('rbac --features certificates')).out)).toEqual([]);
    expect(policiesIn((await run('rbac --without bootstrap-tokens')).out)).toEqual([]);
  });

  it('are those of Nodes and Deployments too if all are asked for, and none if none is', async () => {
    expect(policiesIn((await run('rbac --features none --admission all')).out)).toEqual([
      'drover-nodes',
      'drover-node-marks',
      'drover-deployments',
    ]);
    expect(policiesIn((await run('rbac --features bootstrap --admission none')).out)).toEqual([]);
  });

  it('let through the groups that the deployment gives its tokens, in their order', async () => {
    const groups = 'system:bootstrappers:kubeadm:default-node-token,system:bootstrappers:drover:worker';
    const { out } = await run(`rbac --features bootstrap --bootstrap-groups ${groups}`);
    expect(out).toContain(`'${Buffer.from(groups).toString('base64')}' :`);
    expect(out).not.toContain(`'${Buffer.from('system:bootstrappers:drover:worker').toString('base64')}' :`);
  });

  it.each(['system:masters', 'system:bootstrappers:drover:control-plane', ''])(
    'let through no group that the function would refuse: %j',
    async (groups) => {
      const result = await run(['rbac', '--features', 'bootstrap', '--bootstrap-groups', groups]);
      expect(result).toMatchObject({ code: 2, out: '' });
    },
  );
});

it('every selection is the documents of the file in their order, each whole but for the ServiceAccount', () => {
  const documents = objectsIn(rbac);
  const isAccount = ({ kind }: { readonly kind: string }): boolean => kind === 'ServiceAccount';
  fc.assert(
    fc.property(fc.subarray(Object.keys(parts) as Part[]), fc.boolean(), (without, hasServiceAccount) => {
      const left = new Set<string>(without.flatMap((part) => parts[part]));
      const expected = documents
        .filter((one) => !left.has(one.metadata.name) && (hasServiceAccount || !isAccount(one)))
        .map((one) =>
          one.subjects && !hasServiceAccount
            ? { ...one, subjects: one.subjects.filter((subject) => !isAccount(subject)) }
            : one,
        );
      expect(objectsIn(selectManifests(rbac, { without, hasServiceAccount }))).toEqual(expected);
    }),
  );
});
