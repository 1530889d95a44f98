import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseDurationSeconds } from '../../../shared/base/duration.ts';
import { type LeavingSettings, readLeavingSettings } from '../../../shared/groups/group-settings.ts';

const defaults: LeavingSettings = {
  drainTimeoutSeconds: 1800,
  onFailure: 'CONTINUE',
  ignoreDaemonSets: true,
  deleteEmptyDirData: true,
  force: true,
  maxLeaving: 50,
  drainOnRebalance: false,
  awaitReplacement: false,
  annotationTimeoutSeconds: 86_400,
};

describe('the settings of a group', () => {
  it('are the defaults of the deployment without tags', () => {
    expect(readLeavingSettings({ Name: 'workers' }, defaults)).toEqual({ settings: defaults, problems: [] });
  });

  it('come from the tags of the group', () => {
    const { settings, problems } = readLeavingSettings(
      {
        'drover.dev/drain-timeout': '15m',
        'drover.dev/on-failure': 'ABANDON',
        'drover.dev/ignore-daemonsets': 'false',
        'drover.dev/delete-emptydir-data': 'false',
        'drover.dev/force': 'false',
        'drover.dev/max-leaving': '3',
        'drover.dev/drain-on-rebalance': 'true',
        'drover.dev/await-replacement': 'true',
        'drover.dev/annotation-timeout': '90m',
      },
      defaults,
    );
    expect(problems).toEqual([]);
    expect(settings).toEqual({
      drainTimeoutSeconds: 900,
      onFailure: 'ABANDON',
      ignoreDaemonSets: false,
      deleteEmptyDirData: false,
      force: false,
      maxLeaving: 3,
      drainOnRebalance: true,
      awaitReplacement: true,
      annotationTimeoutSeconds: 5400,
    });
  });

  it.each([
    ['drover.dev/drain-timeout', 'soon', 'a duration from 30s to 2d'],
    ['drover.dev/drain-timeout', '5s', 'a duration from 30s to 2d'],
    ['drover.dev/drain-timeout', '29s', 'a duration from 30s to 2d'],
    ['drover.dev/drain-timeout', '172801', 'a duration from 30s to 2d'],
    ['drover.dev/drain-timeout', '0.5125m', 'a duration from 30s to 2d'],
    ['drover.dev/on-failure', 'retry', 'CONTINUE or ABANDON'],
    ['drover.dev/annotation-timeout', '8d', 'a duration from 0s to 7d'],
    ['drover.dev/annotation-timeout', '-1h', 'a duration from 0s to 7d'],
    ['drover.dev/await-replacement', 'True', 'true or false'],
    ['drover.dev/force', 'yes', 'true or false'],
    ['drover.dev/max-leaving', '0', 'a whole number from 1'],
    ['drover.dev/max-leaving', '100000', 'a whole number from 1'],
    ['drover.dev/max-leaving', '1x', 'a whole number from 1'],
    ['drover.dev/max-leaving', 'x1', 'a whole number from 1'],
  ])('name the tag %s=%s that cannot be read, and keep the default', (key, value, allowed) => {
    const { settings, problems } = readLeavingSettings({ [key]: value }, defaults);
    expect(settings).toEqual(defaults);
    expect(problems).toEqual([expect.stringContaining(`tag ${key} is not ${allowed}`)]);
  });

  it.each([
    ['drover.dev/drain-timeout', '30s', { drainTimeoutSeconds: 30 }],
    ['drover.dev/drain-timeout', '2d', { drainTimeoutSeconds: 172_800 }],
    ['drover.dev/max-leaving', '1', { maxLeaving: 1 }],
    ['drover.dev/max-leaving', '99999', { maxLeaving: 99_999 }],
    ['drover.dev/on-failure', 'CONTINUE', { onFailure: 'CONTINUE' }],
  ])('come from the tag %s=%s, over another default', (key, value, setting) => {
    const abandoning: LeavingSettings = { ...defaults, onFailure: 'ABANDON' };
    expect(readLeavingSettings({ [key]: value }, abandoning)).toEqual({
      settings: { ...abandoning, ...setting },
      problems: [],
    });
  });

  it('never quote the value of a malformed tag', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 12 }), (value) => {
        const { problems } = readLeavingSettings({ 'drover.dev/on-failure': value }, defaults);
        expect(problems.join()).not.toContain(value);
      }),
    );
  });
});

describe('a duration', () => {
  it.each([
    ['900', 900],
    ['900s', 900],
    ['15m', 900],
    ['2h', 7200],
    ['1d', 86_400],
    [' 5m ', 300],
    ['', undefined],
    ['m', undefined],
    ['-5m', undefined],
    ['1.5h', 5400],
    ['1h30m', 5400],
    ['1.h', undefined],
    ['1h30', undefined],
    ['5 minutes', undefined],
    ['99999999', undefined],
  ])('%j is %j seconds', (text, seconds) => {
    expect(parseDurationSeconds(text)).toBe(seconds);
  });
});
