import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { explain } from '../../../../cli/user-data/explain/explain.ts';
import { commandsOf } from '../../../../cli/user-data/explain/shell-lines.ts';

const script = (...lines: readonly string[]) => `#!/bin/bash\n${lines.join('\n')}\n`;
const joinsOf = (...lines: readonly string[]) => explain(script(...lines)).joins;
const bootstrap = '/etc/eks/bootstrap.sh prod';
const prod = [expect.objectContaining({ by: 'bootstrap.sh', cluster: 'prod' })];

describe('a script joins, whatever is around the command', () => {
  it.each([
    ['an apostrophe in a comment before it', ["yum -y install jq # don’t stop, don't wait", bootstrap]],
    ['a quote in a comment at its own line', [bootstrap, 'echo ok #"']],
    ['an apostrophe in a here-document', ["cat >/etc/motd <<'END-OF'", "it's ours", 'END-OF', bootstrap]],
    ['a word in quotes that ends a here-document', ['cat >/a <<\\EOF', "it's", 'EOF', bootstrap]],
    ['two here-documents of one line', ['paste <<A <<B', "'", 'A', '"', 'B', bootstrap]],
    ['tabs before the end of a here-document', ['cat <<-EOF', "\t'", '\tEOF', bootstrap]],
    ['a string instead of a here-document', ['cat <<<word', bootstrap]],
    ['a shift', ['x=$((1 << n))', bootstrap]],
    ['a quote without an end before it', ["echo 'a", bootstrap]],
    ['a shell', ['/bin/bash -xe /etc/eks/bootstrap.sh prod']],
    ['variables of env', ['env HTTPS_PROXY=http://proxy:3128 /etc/eks/bootstrap.sh prod']],
    ['a subshell', [`(${bootstrap})`]],
    ['a function', [`join() { ${bootstrap}; }`, 'join']],
    ['an else', ['if test -e /a; then echo; else', `  ${bootstrap}; fi`]],
  ])('%s', (_, lines) => expect(joinsOf(...lines)).toEqual(prod));

  it.each([
    ['in a here-document with an indented end', ['cat >/a <<EOF', '  EOF', bootstrap, 'EOF']],
    ['in a comment', [`true # ${bootstrap}`, `# ${bootstrap}`]],
    ['in a text', [`echo '`, bootstrap, `'`]],
  ])('and does not if the command is %s', (_, lines) => expect(joinsOf(...lines)).toEqual([]));
});

it('a script that a script writes is read too', () => {
  const { parts, joins, credentials } = explain(
    script(
      'cat >/opt/join.sh <<EOF',
      '#!/bin/sh',
      'kubeadm join a:6443 --token abcdef.0123456789abcdef',
      'EOF',
    ),
  );
  expect(parts[0]?.facts[0]).toMatchObject({ what: 'line 2 /opt/join.sh', meaning: 'writes a script' });
  expect(joins).toMatchObject([{ by: 'kubeadm', endpoint: 'a:6443' }]);
  expect(credentials).toContain('/opt/join.sh holds a bootstrap token');
});

it('a substitution among flags of the kubelet is one value', () => {
  const [join] = joinsOf(
    `${bootstrap} --kubelet-extra-args "--node-labels=az=$(curl -s http://a/b),x=y --max-pods=20"`,
  );
  expect(join).toMatchObject({
    labels: ['az=$(curl -s http://a/b)', 'x=y'],
    maxPods: '20',
    kubeletFlags: [],
  });
});

it.each([
  'kubeadm -v 5 join api:6443 --control-plane',
  'kubeadm join --control-plane api:6443',
  'kubeadm join --discovery-token-unsafe-skip-ca-verification api:6443 -v 5',
])('%s joins the cluster at its address', (line) =>
  expect(joinsOf(line)).toMatchObject([{ by: 'kubeadm', endpoint: 'api:6443' }]),
);

it('a program in another language is not read as a shell script', () => {
  const { parts, credentials } = explain(
    '#!/usr/bin/env python3\nimport os\npassword = "aPasswordOfMine"\nshutdown\n',
  );
  expect(parts[0]?.facts).toEqual([expect.objectContaining({ what: 'a program', value: 'python3' })]);
  expect(credentials).toEqual(['the script holds a password or a key']);
});

it('a script whose lines end with carriage returns only cannot run', () => {
  expect(explain(`#!/bin/bash\r${bootstrap}\r`).faults[0]).toContain('a carriage return and no line feed');
  expect(explain(`#!/bin/bash\r\n${bootstrap}\r\n`).faults).toEqual([]);
});

const long = 128 * 1024;

describe('a long text of one piece is explained in time that grows with its length', () => {
  it.each([
    "'\n",
    '\n',
    '"a\n',
    'a\\\n',
    "'\n'",
    'cat <<E\n',
    ' ',
    ' #',
    '$(',
    '$((',
    '"',
    '\\',
    '"\\',
    'login ',
    'Authorization: ',
    '://a',
    'eyJaaaaaaaaaaa.',
    '-----BEGIN ',
    'a:',
    'docker login ',
  ])('%j', (piece) => {
    const text = piece.repeat(long / piece.length);
    expect(explain(`#!/bin/bash\n${text}`).joins).toEqual([]);
    expect(explain(`#!/bin/bash\n'${text}`).joins).toEqual([]);
  });
});

test('variables that hold each other make no text without an end', () => {
  const growing = Array.from({ length: 200 }, () => 'A=$A$A$A').join('\n');
  const words = commandsOf(`A=xxxxxxxxxx\n${growing}\nkubeadm join $A`).at(-1)?.words.join(' ') ?? '';
  expect(words.length).toBeLessThan(10_000);
});

test('each command has the number of its line, whatever pieces the script has', () => {
  const pieces = fc.array(
    fc.constantFrom(
      "echo 'a\nb'\n",
      'cat <<E\n"\nE\n',
      'a \\\n  b\n',
      "# it's\n",
      'true # "\n',
      '\n',
      'x=$(date +%s)\n',
    ),
    { maxLength: 12 },
  );
  fc.assert(
    fc.property(pieces, (before) => {
      const text = before.join('');
      expect(commandsOf(`${text}kubeadm join a`).at(-1)).toEqual({
        line: text.split('\n').length,
        words: ['kubeadm', 'join', 'a'],
      });
    }),
  );
});
