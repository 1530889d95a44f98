import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { loadDeployment } from '../../local/deployment/load-deployment.ts';
import { metricUnits } from '../../shared/base/metrics.ts';

type Metric = readonly [namespace: string, name: string, dimension: string, value: string, rest: object];

interface Widget {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly properties: { readonly title: string; readonly stat: string; readonly metrics: readonly Metric[] };
}

const template = JSON.parse(
  readFileSync('.serverless/cloudformation-template-update-stack.json', 'utf8'),
) as {
  readonly Resources: {
    readonly ClusterDashboard: {
      readonly Properties: { readonly DashboardBody: { readonly 'Fn::Sub': string } };
    };
  };
};
const text = template.Resources.ClusterDashboard.Properties.DashboardBody['Fn::Sub'];
const { widgets } = JSON.parse(text) as { readonly widgets: readonly Widget[] };
const metrics = widgets.flatMap(({ properties }) => properties.metrics);
const ofNamespace = (namespace: string) => metrics.filter(([one]) => one === namespace);

/** CloudWatch metrics of Lambda and of SQS (their developer guides). */
const documented: Readonly<Record<string, readonly string[]>> = {
  'AWS/Lambda': ['Errors', 'Throttles', 'Duration'],
  'AWS/SQS': ['ApproximateNumberOfMessagesVisible'],
};

const { functions } = await loadDeployment({ accountId: '123456789012', region: 'eu-west-1' });

describe('the dashboard of CloudWatch', () => {
  it('has no metric but those that Drover writes and AWS documents', () => {
    for (const [namespace, name] of metrics)
      expect(namespace === 'Drover' ? Object.keys(metricUnits) : documented[namespace]).toContain(name);
  });

  it('has no metric of Drover that no function writes', () => {
    const source = globSync(['shared/**/*.ts', 'functions/*.ts'])
      .filter((file) => !file.endsWith('shared/base/metrics.ts'))
      .map((file) => readFileSync(file, 'utf8'))
      .join('\n');
    for (const [, name] of ofNamespace('Drover'))
      expect(source).toMatch(new RegExp(`\\b${name}\\b['"]?\\s*[:,\\]]`));
  });

  it('reads Drover’s metrics of this cluster', () => {
    expect(ofNamespace('Drover').length).toBeGreaterThan(20);
    for (const [, , dimension, value] of ofNamespace('Drover'))
      expect([dimension, value]).toEqual(['Cluster', 'drover']);
  });

  it('shows each function under the name that it has', () => {
    const shown = ofNamespace('AWS/Lambda').map(([, , dimension, value]) => `${dimension} ${value}`);
    const names = functions.map(({ name }) => `FunctionName drover-dev-${name}`);
    expect([...new Set(shown)].toSorted()).toEqual(names.toSorted());
  });

  it('shows each queue of dead letters of the template', () => {
    const queues = Object.keys(template.Resources).filter((name) =>
      /(DeadLetter|Undelivered)Queue$/.test(name),
    );
    const shown = ofNamespace('AWS/SQS').map(([, , dimension, value]) => `${dimension} ${value}`);
    expect(shown.toSorted()).toEqual(queues.map((name) => `QueueName \${${name}.QueueName}`).toSorted());
  });

  it('has each title once, and no widget over another or over the edge', () => {
    expect(new Set(widgets.map(({ properties }) => properties.title)).size).toBe(widgets.length);
    const cells = widgets.flatMap(({ x, y, width, height }) => {
      expect(x + width).toBeLessThanOrEqual(24);
      return Array.from(
        { length: width * height },
        (_, cell) => `${x + (cell % width)},${y + Math.floor(cell / width)}`,
      );
    });
    expect(new Set(cells).size).toBe(cells.length);
  });

  it('leaves nothing of `Fn::Sub` but the region and the names of queues', () => {
    const variables = [...text.matchAll(/\$\{([^}]+)\}/g)].map(([, name]) => name ?? '');
    for (const name of variables) expect(name).toMatch(/^(AWS::Region|\w+Queue\.QueueName)$/);
  });
});
