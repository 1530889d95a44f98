import { describe, expect, it } from 'vitest';
import { readWorkloads } from '../../../../shared/capacity/manifests/read-workloads.ts';
import { controllerText, problemsIn, read, workloadsIn } from './fixtures.ts';

const pod = '{apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {containers: [{name: a, image: a}]}}';
const template =
  'document 1: looks like a template that was not rendered: for a chart of Helm, give the output of helm template CHART with -f -';

describe('files that cannot be read', () => {
  it.each([
    ['an empty file', ''],
    ['a file of white space', ' \n\t\n'],
    ['a file of comments and separators', '# one\n---\n# two\n---\n...\n'],
    ['a file of only a directive', '%YAML 1.2\n---\n'],
  ])('%s has no objects', (_, text) => {
    expect(problemsIn(text)).toEqual(['web.yaml: has no objects: it is empty']);
  });

  it.each([
    ['UTF-16 with a byte order mark', '\uFFFD\uFFFDa\0p\0i\0', 'is UTF-16: save it as UTF-8'],
    ['UTF-16 without one', 'a\0p\0i\0', 'is UTF-16: save it as UTF-8'],
    ['an archive', 'PK\u0003\u0004', 'is a binary file, not YAML or JSON'],
    ['a program', '\u007FELF\u0002\u0001\u0001\0', 'is a binary file, not YAML or JSON'],
    ['a compressed file', '\u001F\uFFFD\u0008', 'is a binary file, not YAML or JSON'],
    [
      'a file of more than 16 MiB',
      ' '.repeat(16 * 1024 * 1024 + 1),
      'is too large: all files together may have 16 MiB',
    ],
  ])('%s is refused', (_, text, message) => {
    expect(problemsIn(text)).toEqual([`web.yaml: ${message}`]);
  });

  it('files that are too large together are refused', () => {
    const text = `${pod}\n${'#'.repeat(9 * 1024 * 1024)}`;
    const { problems } = readWorkloads([
      { name: 'one.yaml', text },
      { name: 'two.yaml', text },
    ]);
    expect(problems).toEqual([
      { file: 'two.yaml', message: 'is too large: all files together may have 16 MiB' },
    ]);
  });

  it.each([
    ['a tab', 'a: b\n\tc: d', 'document 1: line 2: YAML is indented with spaces, and here is a tab'],
    ['a key twice', 'a: 1\nb: 2\na: 3', 'document 1: line 3: the key a is there twice'],
    ['a key twice in a nested map', 'a: {b: 1, "b": 2}', 'document 1: line 1: the key b is there twice'],
    ['a key twice in JSON', '{"a": "x\\"a", "b": {"c": 1, "c": 2}}', 'document 1: the key c is there twice'],
    [
      'an alias without an anchor',
      'a: *x',
      'document 1: cannot be read as YAML: Unresolved alias (the anchor must be set before the alias): x',
    ],
    [
      'a map in a map',
      'a: b\n  c: d',
      'document 1: line 1: is not YAML: Nested mappings are not allowed in compact mappings',
    ],
    ['a list', '- a', 'document 1: is not an object of Kubernetes, which is a map with apiVersion and kind'],
    [
      'a text',
      'just text',
      'document 1: is not an object of Kubernetes, which is a map with apiVersion and kind',
    ],
    [
      'a map without a kind',
      'foo: bar',
      'document 1, kind: is missing: each object of Kubernetes has apiVersion and kind',
    ],
    [
      'a kind without a version',
      'kind: Pod',
      'document 1, apiVersion: is missing: each object of Kubernetes has apiVersion and kind',
    ],
    ['a kind that is a number', '{apiVersion: v1, kind: 1}', 'document 1, kind: must be text, and is "1"'],
    [
      'a list of items that is a map',
      '{apiVersion: v1, kind: List, items: {a: b}}',
      'document 1, items: must be a list',
    ],
    [
      'an item that is null',
      '{apiVersion: v1, kind: List, items: [~]}',
      'document 1, items[0]: is not an object of Kubernetes, which is a map with apiVersion and kind',
    ],
    [
      'a file of Docker Compose',
      'services: {web: {}}',
      'document 1: is a file of Docker Compose, not a manifest of Kubernetes',
    ],
    [
      'a kustomization',
      'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization',
      'document 1: is a kustomization, not a manifest: run kubectl kustomize DIRECTORY | drover plan -f -',
    ],
    [
      'a variable',
      pod.replace('name: a}', 'name: "${NAME}"}'),
      'document 1, metadata.name: "${NAME}" is not a name: write small letters, digits, dashes and dots, with a letter or digit at both ends: the variable was not replaced (envsubst)',
    ],
  ])('%s is refused with its place', (_, text, message) => {
    expect(problemsIn(text)).toEqual([message]);
  });

  it('a kustomization without a kind is known by the name of its file', () => {
    expect(problemsIn('resources: [web.yaml]', 'overlays/kustomization.yml')[0]).toContain(
      'kubectl kustomize',
    );
  });

  it('the line of an error is that in the file, not in the document', () => {
    expect(problemsIn(`${pod}\n---\n# two\na: b\n\tc: d`)).toEqual([
      'document 2: line 5: YAML is indented with spaces, and here is a tab',
    ]);
  });

  it.each([
    ['instead of a number', controllerText({ spec: 'replicas: {{ .Values.replicas }}' })],
    ['around a field', controllerText({ spec: '{{- if .Values.fixed }}\n  replicas: 2\n  {{- end }}' })],
    [
      'in a text that would be accepted',
      controllerText({ pod: 'serviceAccountName: "{{ .Release.Name }}"' }),
    ],
    ['of another program', controllerText({ name: '"{{app}}"' })],
  ])('templates %s are said to be templates', (_, text) => {
    expect(problemsIn(text)).toEqual([template]);
  });

  it('templates in the arguments of a program cause no problem', () => {
    expect(workloadsIn(controllerText({ pod: 'hostname: a\n      # {{ .Name }}' })).length).toBe(1);
  });
});

it('a template in one item of a list is not one of its other items, and a long list is searched once', () => {
  const spec = { containers: [{ name: 'a', image: 'a' }] };
  const pods = Array.from({ length: 2000 }, (_, at) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: `p${at}`, annotations: { a: 'x'.repeat(2000) } },
    spec,
  }));
  const config = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'a' },
    data: { a: '{{ .Values.a }}' },
  };
  const list = { apiVersion: 'v1', kind: 'List', items: [config, ...pods] };
  expect(workloadsIn(JSON.stringify(list)).length).toBe(2000);
});

describe('hostile files', () => {
  const aliases = (levels: number): string =>
    [
      'a0: &a0 [x, x, x, x, x, x, x, x, x, x]',
      ...Array.from(
        { length: levels },
        (_, at) => `a${at + 1}: &a${at + 1} [${Array(10).fill(`*a${at}`).join(', ')}]`,
      ),
    ].join('\n');

  it.each([
    ['a billion laughs', aliases(9), /Excessive alias count/],
    ['a value that contains itself', 'a: &a {b: *a}', /is nested deeper than 200 levels/],
    [
      'a deep JSON text',
      `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`,
      /is nested deeper than 200 levels/,
    ],
    ['a deep flow list', '['.repeat(20_000), /is not YAML/],
    ['a deep list', `${'- '.repeat(20_000)}1`, /is not YAML|deeper/],
    [
      'thousands of anchors',
      Array.from({ length: 1001 }, (_, at) => `k${at}: &a${at} 1`).join('\n'),
      /more than 1000 anchors/,
    ],
    [
      'a million commas',
      `[${','.repeat(1_600_000)}]`,
      /is too large: give fewer files, or JSON instead of YAML/,
    ],
  ])('%s is refused', (_, text, message) => {
    const [problem, ...more] = problemsIn(text);
    expect([problem, more]).toEqual([expect.stringMatching(message), []]);
  });

  it('a map with thousands of keys is read in time that grows with its length', () => {
    const labels = Array.from({ length: 20_000 }, (_, at) => `k${at}: v`).join(', ');
    expect(read(`{apiVersion: v1, kind: ConfigMap, data: {${labels}}}`).problems).toEqual([]);
  });

  it('the key __proto__ changes no other object', () => {
    read(
      '{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a", "__proto__": {"polluted": "x"}}, "spec": {}}',
    );
    expect(({} as { readonly polluted?: string }).polluted).toBeUndefined();
  });
});

describe('spellings that kubectl accepts', () => {
  it.each([
    ['a byte order mark', `\uFEFF${pod}`],
    ['CRLF', controllerText().replaceAll('\n', '\r\n')],
    ['a separator with a comment', `--- # first\n${pod}\n---   \n`],
    ['an object behind a separator', `--- ${pod}`],
    ['a document end', `${pod}\n...\n`],
    ['a directive', `%YAML 1.1\n---\n${pod}`],
    [
      'JSON',
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'a' },
        spec: { containers: [{ name: 'a', image: 'a' }] },
      }),
    ],
  ])('%s is read', (_, text) => {
    expect(workloadsIn(text).length).toBe(1);
  });

  it('merge keys and anchors are resolved', () => {
    const text = controllerText({
      pod: 'tolerations: &own [{operator: Exists}]\n      initContainers: [{<<: &base {name: init, image: a}, name: first}, *base]',
    });
    const { initContainers } = workloadsIn(text)[0]?.pods[0]?.spec ?? {};
    expect(initContainers).toEqual([
      { name: 'first', image: 'a' },
      { name: 'init', image: 'a' },
    ]);
  });

  it('yes and no are booleans, and dates are texts, as in YAML 1.1 of kubectl', () => {
    expect(problemsIn(controllerText({ labels: '{app: web, on: yes}' }))).toEqual([
      'document 1, spec.template.metadata.labels.true: must be text, and is the boolean true: write it in quotes',
    ]);
    const [workload] = workloadsIn(controllerText({ labels: '{app: web, at: 2026-11-28}' }));
    expect(workload?.pods[0]?.metadata?.labels?.at).toBe('2026-11-28');
  });
});
