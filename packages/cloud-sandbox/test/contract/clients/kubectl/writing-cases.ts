import { expect } from 'vitest';
import type { Cases } from '../../../../truth/contract.ts';
import type { KubectlWorld } from './kubectl.ts';
import { configText, deploymentText } from './manifests.ts';

const environmentOf = '{.spec.template.spec.containers[0].env[*].name}';
const settings = 'configmap settings';

/** Objects as they are made and changed. */
export const writingCases: Cases<KubectlWorld> = {
  'apply creates, leaves alone, changes, and takes away what is no longer written': async ({
    feed,
    kubectl,
  }) => {
    const both = [
      { name: 'A', value: '1' },
      { name: 'B', value: '2' },
    ];
    const text = deploymentText({ name: 'app', environment: both });
    expect(await feed(text, 'apply -f -')).toBe('deployment.apps/app created\n');
    expect(await feed(text, 'apply -f -')).toBe('deployment.apps/app unchanged\n');
    const fewer = deploymentText({ name: 'app', image: 'app:2', environment: both.slice(1) });
    expect(await feed(fewer, 'apply -f -')).toBe('deployment.apps/app configured\n');
    expect(await kubectl(`get deployment app -o jsonpath=${environmentOf}`)).toBe('B');
    expect(await kubectl('apply view-last-applied deployment app')).toContain('image: app:2');
  },

  'apply --server-side names who else manages a field, and takes it when forced': async ({
    feed,
    tried,
    kubectl,
  }) => {
    await feed(configText({ a: '1', b: '1' }), 'apply --server-side --field-manager=one -f -');
    const other = configText({ b: '2' });
    await expect(feed(other, 'apply --server-side --field-manager=two -f -')).rejects.toThrow(
      /Apply failed with 1 conflict: conflict with "one": \.data\.b/,
    );
    await feed(other, 'apply --server-side --field-manager=two --force-conflicts -f -');
    expect(JSON.parse(await kubectl(`get ${settings} -o jsonpath={.data}`))).toEqual({ a: '1', b: '2' });
    const shown = await kubectl(`get ${settings} --show-managed-fields -o json`);
    const managers = JSON.parse(shown).metadata.managedFields.map(
      ({ manager }: { manager: string }) => manager,
    );
    expect(managers.toSorted()).toEqual(['one', 'two']);
    expect((await tried(`get ${settings} -o json`)).stdout).not.toContain('managedFields');
  },

  'diff shows what an apply would change and ends with 1, with 0 where that is nothing': async ({
    feed,
    kubectl,
  }) => {
    await feed(configText({ a: '1' }), 'apply -f -');
    expect(await feed(configText({ a: '1' }), 'diff -f -')).toBe('');
    await expect(feed(configText({ a: '2' }), 'diff -f -')).rejects.toThrow(
      /ended with 1: [\s\S]*\n- {2}a: "1"\n\+ {2}a: "2"/,
    );
    expect(await kubectl(`get ${settings} -o jsonpath={.data.a}`)).toBe('1');
  },

  'a dry run on the server answers what would be and keeps nothing': async ({ feed, kubectl, tried }) => {
    const text = configText({ a: '1' });
    expect(await feed(text, 'apply --dry-run=server -f -')).toBe(
      'configmap/settings created (server dry run)\n',
    );
    expect((await tried(`get ${settings}`)).code).toBe(1);
    await feed(text, 'apply -f -');
    const patched = await kubectl(
      `patch ${settings} --dry-run=server -o jsonpath={.data.a} -p`,
      '{"data":{"a":"2"}}',
    );
    expect(patched).toBe('2');
    await kubectl(`delete ${settings} --dry-run=server`);
    expect(await kubectl(`get ${settings} -o jsonpath={.data.a}`)).toBe('1');
  },

  'patch of each type changes what it says; a test that does not hold changes nothing': async ({
    feed,
    kubectl,
    tried,
  }) => {
    await feed(configText({ a: '1' }), 'apply -f -');
    await kubectl(`patch ${settings} -p`, '{"data":{"b":"2"}}');
    await kubectl(`patch ${settings} --type=merge -p`, '{"data":{"a":null}}');
    await kubectl(`patch ${settings} --type=json -p`, '[{"op":"add","path":"/data/c","value":"3"}]');
    const data = async () => JSON.parse(await kubectl(`get ${settings} -o jsonpath={.data}`));
    expect(await data()).toEqual({ b: '2', c: '3' });
    const failing = '[{"op":"test","path":"/data/b","value":"x"},{"op":"remove","path":"/data/b"}]';
    const refused = await tried(`patch ${settings} --type=json -p`, failing);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(/^The request is invalid/) });
    expect(await data()).toEqual({ b: '2', c: '3' });
    const same = await kubectl(`patch ${settings} -p`, '{"data":{"b":"2"}}');
    expect(same).toBe('configmap/settings patched (no change)\n');
  },

  'a strategic patch finds a container by its name, adds one and deletes one': async ({ feed, kubectl }) => {
    await feed(deploymentText({ name: 'app', replicas: 0 }), 'apply -f -');
    const patch = (containers: readonly object[]) =>
      kubectl('patch deployment app -p', JSON.stringify({ spec: { template: { spec: { containers } } } }));
    const names = () => kubectl('get deployment app -o jsonpath={.spec.template.spec.containers[*].name}');
    await patch([{ name: 'side', image: 'side:1' }]);
    expect((await names()).split(' ').toSorted()).toEqual(['main', 'side']);
    await patch([{ name: 'side', $patch: 'delete' }]);
    expect(await names()).toBe('main');
  },

  'a part is patched by itself: the scale, the status': async ({ feed, kubectl }) => {
    await feed(deploymentText({ name: 'app', replicas: 0 }), 'apply -f -');
    await kubectl('patch deployment app --subresource=scale --type=merge -p', '{"spec":{"replicas":1}}');
    expect(await kubectl('get deployment app -o jsonpath={.spec.replicas}')).toBe('1');
    const scale = JSON.parse(await kubectl('get deployment app --subresource=scale -o json'));
    expect(scale).toMatchObject({ kind: 'Scale', apiVersion: 'autoscaling/v1', spec: { replicas: 1 } });
  },

  'label and annotate set a value, keep it without --overwrite, and remove it': async ({
    feed,
    kubectl,
    tried,
  }) => {
    await feed(configText({}), 'apply -f -');
    expect(await kubectl(`label ${settings} tier=one`)).toBe('configmap/settings labeled\n');
    expect(await tried(`label ${settings} tier=two`)).toMatchObject({
      code: 1,
      stderr: "error: 'tier' already has a value (one), and --overwrite is false\n",
    });
    await kubectl(`label ${settings} tier=two --overwrite`);
    await kubectl(`annotate ${settings} note=x`);
    const read = () =>
      kubectl(`get ${settings} -o jsonpath={.metadata.labels.tier}{.metadata.annotations.note}`);
    expect(await read()).toBe('twox');
    await kubectl(`label ${settings} tier-`);
    await kubectl(`annotate ${settings} note-`);
    expect(await read()).toBe('');
  },

  'create makes each kind that it has a command for, once': async ({ kubectl, tried, namespace }) => {
    for (const words of [
      'configmap c --from-literal=a=b',
      'secret generic s --from-literal=a=b',
      'secret docker-registry d --docker-server=x --docker-username=y --docker-password=z',
      'serviceaccount robot',
      'role r --verb=get --resource=pods',
      `rolebinding rb --role=r --serviceaccount=${namespace}:robot`,
      'poddisruptionbudget p --selector=app=a --min-available=1',
      'deployment app --image=app:1 --replicas=0',
      'service clusterip app --tcp=80',
      'job once --image=app:1',
      'cronjob often --image=app:1 --schedule=@hourly',
      `clusterrole ${namespace} --verb=get --resource=nodes`,
      `clusterrolebinding ${namespace} --clusterrole=${namespace} --user=bob`,
      `priorityclass ${namespace} --value=1000`,
    ])
      expect(await kubectl(`create ${words}`)).toMatch(/ created\n$/);
    expect(await kubectl('get secret s -o jsonpath={.data.a}')).toBe('Yg==');
    expect(await kubectl('get service app -o jsonpath={.spec.ports[0].port}')).toBe('80');
    expect(await kubectl('get cronjob often -o jsonpath={.spec.schedule}')).toBe('@hourly');
    expect(await kubectl(`get priorityclass ${namespace} -o jsonpath={.value}`)).toBe('1000');
    expect((await tried('create configmap c')).stderr).toMatch(/configmaps "c" already exists\n$/);
  },

  'edit writes back what the editor made of it': async ({ feed, kubectl, having }) => {
    await feed(configText({ a: 'before' }), 'apply -f -');
    const edited = await having({ KUBE_EDITOR: 'sed -i s/before/after/' }).kubectl(`edit ${settings}`);
    expect(edited).toBe('configmap/settings edited\n');
    expect(await kubectl(`get ${settings} -o jsonpath={.data.a}`)).toBe('after');
  },

  'replace needs what it replaces; delete takes by file and by label': async ({ feed, kubectl, tried }) => {
    await expect(feed(configText({}), 'replace -f -')).rejects.toThrow(/NotFound/);
    await feed(configText({ a: '1' }), 'create -f -');
    await feed(configText({ b: '1' }), 'replace -f -');
    expect(JSON.parse(await kubectl(`get ${settings} -o jsonpath={.data}`))).toEqual({ b: '1' });
    expect(await feed(configText({}), 'delete -f -')).toMatch(/^configmap "settings" deleted/);
    await kubectl('create configmap one');
    await kubectl('label configmap one pick=me');
    expect(await kubectl('delete configmaps -l pick=me')).toMatch(/^configmap "one" deleted/);
    expect((await tried('get configmap one')).code).toBe(1);
  },

  'apply and create refuse an unknown kind and an incomplete object': async ({ feed }) => {
    const unknown = '{"apiVersion":"a.example/v1","kind":"Unicorn","metadata":{"name":"x"}}';
    await expect(feed(unknown, 'apply -f -')).rejects.toThrow(
      /no matches for kind "Unicorn" in version "a\.example\/v1"\nensure CRDs are installed first/,
    );
    const empty = '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"x"},"spec":{"containers":[]}}';
    await expect(feed(empty, 'create -f -')).rejects.toThrow(
      /The Pod "x" is invalid: spec\.containers: Required value/,
    );
  },
};
