import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sourceFiles } from '../architecture/source-files.ts';

const page = readFileSync('docs/troubleshooting.md', 'utf8');
const code = sourceFiles('cli', 'shared', 'functions')
  .map((file) => file.code)
  .join('\n');

/** Words of AWS and of the API server, which are not in our code. */
const notOurs = ['Unauthorized', 'Forbidden', 'ENOTFOUND', 'Rate exceeded'];
const isNotOurs = (message: string): boolean =>
  notOurs.includes(message) || message.startsWith('is not authorized to perform: ');

/** The messages in the first columns of the tables whose title is this. */
const messagesOf = (title: string): readonly string[] =>
  [...page.matchAll(new RegExp(`^\\| ${title} \\|[^\\n]*\\n\\|[-|]+\\n((?:\\|.*\\n)+)`, 'gm'))]
    .flatMap(([, rows = '']) => rows.trim().split('\n'))
    .flatMap((row) => [...(row.split(' | ')[0] ?? '').matchAll(/`([^`]+)`/g)])
    .map(([, message = '']) => message);

const said = [...messagesOf('it says'), ...messagesOf('symptom')].filter(
  (text) => text.includes(' ') && !/^(?:drover|npm|aws|kubectl|kubeadm|PUT) /.test(text),
);

/** The fixed texts of a message: those between its placeholders (words in capitals, or expressions of a template) and its joined parts. */
const partsOf = (message: string): readonly string[] =>
  message
    .split(/\b[A-Z]+\b|\$\{[^}]*\}|[:;()] ?/)
    .map((part) => part.trim())
    .filter((part) => part.length > 3);

const missingIn = (text: string, message: string): readonly string[] =>
  partsOf(message).filter((part) => !text.includes(part));

/** The messages that these calls and returns of a file have. */
const messagesIn = (path: string, before: string): readonly string[] =>
  [...readFileSync(path, 'utf8').matchAll(new RegExp(`${before}(['\`])(.*?)\\1[);]`, 'g'))].map(
    ([, , message = '']) => message,
  );

describe('docs/troubleshooting.md', () => {
  it('quotes only messages that Drover has', () => {
    const unknown = said.filter((message) => !isNotOurs(message) && missingIn(code, message).length > 0);
    expect(unknown).toEqual([]);
    expect(said.length).toBeGreaterThan(60);
  });

  it('has every reason for which a pod refuses to be evicted', () => {
    const reasons = messagesIn('shared/draining/pod-filters.ts', 'refuse\\(');
    expect(reasons.filter((reason) => missingIn(page, reason).length > 0)).toEqual([]);
    expect(reasons.length).toBeGreaterThan(3);
  });

  it('has what a leaving instance waits for, but for what ends by itself', () => {
    const byItself = [
      'unknown',
      'EC2 to terminate it',
      'Auto Scaling',
      'its pods to end and its volumes to detach',
    ];
    const waits = messagesIn('shared/capacity/leaving-instances.ts', 'return ').filter(
      (wait) => !byItself.includes(wait) && !wait.startsWith('${'),
    );
    expect(waits.filter((wait) => missingIn(page, wait).length > 0)).toEqual([]);
    expect(waits.length).toBeGreaterThan(3);
  });
});
