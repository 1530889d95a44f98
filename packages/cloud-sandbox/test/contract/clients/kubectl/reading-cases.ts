import { expect } from 'vitest';
import { parse } from 'yaml';
import type { Cases } from '../../../../truth/contract.ts';
import type { KubectlWorld } from './kubectl.ts';
import { deploymentText } from './manifests.ts';

const lines = (text: string): readonly string[] => text.trimEnd().split('\n');
const headOf = (text: string): readonly string[] => (lines(text)[0] ?? '').split(/\s{2,}/);

/** What only looks. `web` and `jobs` run in the namespace default, `log-agent` in kube-system, on three nodes. */
export const readingCases: Cases<KubectlWorld> = {
  'version knows the server, and warns if they are more than one minor version apart': async ({ tried }) => {
    const { stdout, stderr } = await tried('version');
    const [client = 0, server = 0] = [...stdout.matchAll(/^\w+ Version: v1\.(\d+)\.\d+$/gm)].map(
      ([, minor]) => Number(minor),
    );
    expect(server).toBe(34);
    if (Math.abs(client - server) > 1) expect(stderr).toMatch(/exceeds the supported minor version skew/);
    else expect(stderr).toBe('');
  },

  'get shows nodes as a table, with addresses and machine when it is wide': async ({ kubectl }) => {
    const short = await kubectl('get nodes');
    expect(headOf(short)).toEqual(['NAME', 'STATUS', 'ROLES', 'AGE', 'VERSION']);
    expect(lines(short)).toHaveLength(4);
    expect(short).toMatch(/^ip-10-0-\S+ +Ready +worker +\S+ +v1\.34\.\d+$/m);
    const wide = headOf(await kubectl('get nodes -o wide'));
    expect(wide.slice(5)).toEqual([
      'INTERNAL-IP',
      'EXTERNAL-IP',
      'OS-IMAGE',
      'KERNEL-VERSION',
      'CONTAINER-RUNTIME',
    ]);
  },

  'get shows pods with the nodes that they run on, and several kinds at once': async ({ kubectl }) => {
    const pods = await kubectl('get pods -n default -l app=web -o wide');
    expect(pods).toMatch(/^web-\S+ +1\/1 +Running +0 +\S+ +10\.200\.\S+ +ip-10-0-\S+ +<none> +<none>$/m);
    const kinds = await kubectl('get deployments,replicasets,daemonsets,poddisruptionbudgets -A');
    for (const name of ['deployment.apps/web', 'daemonset.apps/log-agent', 'poddisruptionbudget.policy/web'])
      expect(kinds).toContain(name);
  },

  'get prints the same object as YAML and as JSON': async ({ kubectl }) => {
    const [yaml, json] = [
      parse(await kubectl('get deployment web -n default -o yaml')),
      JSON.parse(await kubectl('get deployment web -n default -o json')),
    ];
    expect(yaml.spec).toEqual(json.spec);
    expect(json).toMatchObject({ kind: 'Deployment', apiVersion: 'apps/v1', metadata: { name: 'web' } });
  },

  'get picks by labels and fields, and prints paths, columns and names in order': async ({ kubectl }) => {
    const names = await kubectl('get pods -n default -l app=web,app!=jobs -o name');
    expect(lines(names)).toHaveLength(5);
    const running = await kubectl('get pods -n default --field-selector status.phase=Running -o name');
    expect(lines(running)).toHaveLength(8);
    const [node = ''] = (await kubectl('get nodes -o jsonpath={.items[*].metadata.name}')).split(' ');
    const there = await kubectl(
      `get pods -A --field-selector spec.nodeName=${node} -o custom-columns=NODE:.spec.nodeName --no-headers`,
    );
    expect(new Set(lines(there))).toEqual(new Set([node]));
    const images = await kubectl('get pods -n default --sort-by=.spec.containers[0].image -L app');
    expect(lines(images).slice(1, 4).join()).not.toContain('web');
  },

  'get reads a list in chunks': async ({ kubectl }) => {
    const chunked = await kubectl('get pods -n default -o name --chunk-size=3');
    expect(lines(chunked).toSorted()).toEqual(lines(await kubectl('get pods -n default -o name')).toSorted());
  },

  'get of what is not there, or of no kind, ends with 1 and says so': async ({ tried }) => {
    const pod = await tried('get pod nobody');
    expect(pod).toMatchObject({ code: 1, stderr: 'Error from server (NotFound): pods "nobody" not found\n' });
    expect(await tried('get unicorns')).toMatchObject({
      code: 1,
      stderr: 'error: the server doesn\'t have a resource type "unicorns"\n',
    });
    expect(await tried('get pods')).toMatchObject({ code: 0, stdout: '' });
  },

  'get refuses a selector that cannot be parsed and an unknown field': async ({ tried }) => {
    expect((await tried('get pods --field-selector spec.foo=1')).stderr).toMatch(
      /^Error from server \(BadRequest\): .*field label not supported: spec\.foo$/m,
    );
    expect((await tried('get pods -l q=((')).stderr).toMatch(/^Error from server \(BadRequest\): /);
  },

  'get --watch goes on with what changes, until it is interrupted': async ({ start, feed, kubectl }) => {
    const watch = start('get configmaps --watch --output-watch-events -l watched=yes');
    const config = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'a', labels: { watched: 'yes' } },
    };
    await feed(JSON.stringify(config), 'apply -f -');
    await watch.says(/^ADDED +a +0/m);
    await kubectl('patch configmap a -p', '{"data":{"x":"1"}}');
    await watch.says(/^MODIFIED +a +1/m);
    await kubectl('delete configmap a');
    await watch.says(/^DELETED +a +1/m);
    await watch.interrupt();
  },

  'describe shows a node with its pods, their requests, its conditions and its lease': async ({
    kubectl,
  }) => {
    const [node = ''] = (await kubectl('get nodes -o jsonpath={.items[*].metadata.name}')).split(' ');
    const text = await kubectl(`describe node ${node}`);
    for (const pattern of [
      /^Roles: +worker$/m,
      /^ {2}Ready +True .*KubeletReady/m,
      /^ {2}HolderIdentity: +ip-10-0-/m,
      /^ProviderID: +aws:\/\/\/eu-west-1[abc]\/i-[0-9a-f]{17}$/m,
      /^ {2}kube-system +log-agent-/m,
      /^ {2}cpu +\d+m \(\d+%\)/m,
      /NodeReady/,
    ])
      expect(text).toMatch(pattern);
  },

  'describe shows a pod, a deployment and a budget, with events': async ({ kubectl, feed }) => {
    await feed(deploymentText({ name: 'shown' }), 'apply -f -');
    await kubectl('wait --for=condition=Available deployment/shown --timeout=20s');
    // There are two pods: from 1.36 on kubectl shows the events of several objects only if it is asked to.
    const pod = await kubectl('describe pod -l app=shown --show-events');
    expect(pod).toMatch(/^Controlled By: +ReplicaSet\/shown-/m);
    expect(pod).toMatch(/Normal +Scheduled .*Successfully assigned/);
    const deployment = await kubectl('describe deployment shown');
    expect(deployment).toMatch(/^Replicas: +2 desired \| 2 updated \| 2 total \| 2 available/m);
    expect(deployment).toMatch(/ScalingReplicaSet .*Scaled up replica set shown-\S+ from 0 to 2/);
    const budget = await kubectl('describe poddisruptionbudget web -n default');
    expect(budget).toMatch(/^ +Allowed disruptions: +1$/m);
  },

  'events are listed by both commands, and for one object': async ({ kubectl, feed }) => {
    await feed(deploymentText({ name: 'loud', replicas: 1 }), 'apply -f -');
    await kubectl('wait --for=condition=Available deployment/loud --timeout=20s');
    expect(await kubectl('get events --sort-by=.lastTimestamp')).toMatch(
      /SuccessfulCreate +replicaset\/loud-/,
    );
    const own = await kubectl('events --for deployment/loud');
    expect(lines(own)).toHaveLength(2);
    expect(own).toMatch(/ScalingReplicaSet +Deployment\/loud/);
  },

  'api-resources and api-versions say what there is, and what can be done with it': async ({ kubectl }) => {
    const apps = await kubectl('api-resources --api-group=apps -o wide');
    expect(apps).toMatch(/^deployments +deploy +apps\/v1 +true +Deployment +create,\S*watch +all$/m);
    expect(lines(await kubectl('api-resources --verbs=list --namespaced -o name'))).not.toContain('bindings');
    expect(lines(await kubectl('api-versions'))).toContain('policy/v1');
  },

  'wait ends once a condition holds or a field has a value, and with 1 when its patience ends': async ({
    kubectl,
    feed,
    tried,
  }) => {
    await feed(deploymentText({ name: 'awaited' }), 'apply -f -');
    const available = await kubectl('wait --for=condition=Available deployment/awaited --timeout=20s');
    expect(available).toBe('deployment.apps/awaited condition met\n');
    await kubectl('wait --for=jsonpath={.status.readyReplicas}=2 deployment/awaited --timeout=20s');
    await kubectl('wait --for=create deployment/awaited --timeout=20s');
    expect(await tried('wait --for=condition=Nonsense deployment/awaited --timeout=1s')).toMatchObject({
      code: 1,
      stderr: 'error: timed out waiting for the condition on deployments/awaited\n',
    });
  },
};
