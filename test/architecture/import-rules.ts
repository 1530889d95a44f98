import { isNamedBySandbox } from './named-by-sandbox.ts';
import {
  isAccountDashboard,
  isAdapter,
  isAnswerSchema,
  isBase,
  isBenchOrScript,
  isCapability,
  isCli,
  isFunction,
  isLocal,
  isNet,
  isOutsideTheProduct,
  isOutsideTheSandbox,
  isPage,
  isProduct,
  isRuntime,
  isSameRoom,
  isSandbox,
  isSandboxPackage,
  isSandboxWorkspace,
  isServer,
  isTest,
} from './places.ts';
import { importing, type Rule, writing } from './rule.ts';

const sockets = /^(node:)?(https?|http2|net|tls|dgram|dns)(\/promises)?$/;
const listeners = /^(node:)?(https?|http2|tls|dgram)$/;

/** functions -> runtime -> capabilities <- adapters, and nothing of the tools and tests around the product. */
export const importRules: readonly Rule[] = [
  {
    sentence: 'capabilities import no adapter, no runtime and no function',
    covers: isCapability,
    breaches: importing((target) => isAdapter(target) || isRuntime(target) || isFunction(target)),
    wrong: [
      ['shared/draining/a.ts', "import { sqs } from '../aws/sqs.ts';"],
      ['shared/draining/a.ts', "export * from '../runtime/log.ts';"],
      ['shared/draining/a.ts', "await import('../../functions/sweep.ts');"],
    ],
    fine: [['shared/draining/a.ts', "import type { Clock } from '../groups/clock.ts';"]],
  },
  {
    sentence: 'adapters import no runtime, no function and no other adapter but the HTTP that they share',
    covers: isAdapter,
    breaches: importing(
      (target, path) =>
        isRuntime(target) ||
        isFunction(target) ||
        (isAdapter(target) && !isNet(target) && !isSameRoom(target, path)),
    ),
    wrong: [
      ['shared/aws/a.ts', "import { log } from '../runtime/log.ts';"],
      ['shared/aws/a.ts', "import { pods } from '../kubernetes/pods.ts';"],
    ],
    fine: [
      ['shared/aws/a.ts', "import { cached } from './cached.ts';"],
      ['shared/aws/a.ts', "import { sendHttp } from '../net/send-http.ts';"],
    ],
  },
  {
    sentence: 'the base imports no other room',
    covers: isBase,
    breaches: importing((target) => isProduct(target) && !isBase(target)),
    wrong: [['shared/base/a.ts', "import type { Outcome } from '../passes/outcome.ts';"]],
    fine: [['shared/base/a.ts', "import type { Clock } from './clock.ts';"]],
  },
  {
    sentence: 'the product imports nothing of the sandbox, the CLI, the scripts or the tests',
    covers: isProduct,
    breaches: importing(isOutsideTheProduct),
    wrong: [
      ['functions/a.ts', "import { createDroverCloud } from '../local/cloud/drover-cloud.ts';"],
      ['functions/a.ts', "import { createCloud } from '@drover/cloud-sandbox';"],
      ['shared/runtime/a.ts', "const { x } = require('../../test/support/x.ts');"],
    ],
  },
  {
    sentence: 'only adapters import the AWS SDK',
    covers: (path) => isProduct(path) && !isAdapter(path),
    breaches: importing((target) => /^@(aws-sdk|smithy)\//.test(target)),
    wrong: [['shared/runtime/a.ts', "import { SQSClient } from '@aws-sdk/client-sqs';"]],
  },
  {
    sentence: 'only adapters open sockets',
    covers: (path) => isProduct(path) && !isAdapter(path),
    breaches: importing((target) => sockets.test(target)),
    wrong: [
      ['shared/groups/a.ts', "import { request } from 'node:https';"],
      ['functions/a.ts', "import dns from 'node:dns/promises';"],
    ],
  },
  {
    sentence: 'untrusted input is parsed by zod/mini, never by the whole of zod, which is 443 KB',
    covers: isProduct,
    breaches: importing((target) => target === 'zod' || target === 'zod/v4'),
    wrong: [['shared/scale-api/a.ts', "import { z } from 'zod';"]],
    fine: [['shared/scale-api/a.ts', "import * as z from 'zod/mini';"]],
  },
  {
    sentence: 'the product makes its schemas when they are first used, not at a cold start',
    covers: (path) => isProduct(path) && !isAnswerSchema(path),
    breaches: writing(/(?:^|\n)(?:export )?const \w+ = z\s*\.\w+\(/),
    wrong: [
      ['shared/groups/a.ts', 'const one = z.object({});'],
      ['shared/kubernetes/a.ts', "import * as z from 'zod/mini';\nexport const one = z\n  .string();"],
    ],
    fine: [['shared/groups/a.ts', 'const one = lazily(() => z.object({}));\nconst two = () => z.string();']],
  },
  {
    sentence: 'the product has but the types of the schemas of what it answers, which clients read by',
    covers: (path) => isProduct(path) && !isAnswerSchema(path),
    breaches: writing(/\bimport (?!type )[^;]*schemas\/answers\/[^;]*;/),
    wrong: [['shared/scale-api/a.ts', "import { group } from './schemas/answers/group.ts';"]],
    fine: [['shared/scale-api/a.ts', "import type { group } from './schemas/answers/group.ts';"]],
  },
  {
    sentence: 'the sandbox imports itself and what its package.json names, nothing of Drover',
    covers: isSandboxPackage,
    breaches: importing((target) => !isSandboxPackage(target) && !isNamedBySandbox(target)),
    wrong: [
      [
        'packages/cloud-sandbox/src/kubernetes/a.ts',
        "import { planDrain } from '../../../../shared/draining/plan.ts';",
      ],
      [
        'packages/cloud-sandbox/src/aws/a.ts',
        "import type { Clock } from '../../../../shared/base/clock.ts';",
      ],
      ['packages/cloud-sandbox/src/aws/a.ts', "import { Command } from 'commander';"],
    ],
    fine: [
      ['packages/cloud-sandbox/src/aws/a.ts', "import type { Clock } from '../simulation/clock.ts';"],
      ['packages/cloud-sandbox/src/aws/a.ts', "import { SQSClient } from '@aws-sdk/client-sqs';"],
      ['packages/cloud-sandbox/src/aws/a.ts', "import { createHash } from 'node:crypto';"],
    ],
  },
  {
    sentence: 'the tests and the tools of the sandbox import nothing of Drover',
    covers: isSandboxWorkspace,
    breaches: importing(isOutsideTheSandbox),
    wrong: [
      [
        'packages/cloud-sandbox/test/contract/ec2/a.ts',
        "import { createEc2 } from '../../../../../shared/aws/ec2.ts';",
      ],
      ['packages/cloud-sandbox/real/a.ts', "import { sendHttp } from '../../../shared/net/send-http.ts';"],
      ['packages/cloud-sandbox/truth/a.ts', "import { x } from '../../../test/support/x.ts';"],
    ],
    fine: [
      ['packages/cloud-sandbox/test/aws/a.ts', "import { createEc2 } from '../../src/aws/ec2/ec2.ts';"],
      ['packages/cloud-sandbox/test/aws/a.ts', "import { test } from 'vitest';"],
    ],
  },
  {
    sentence: 'users of the sandbox import it by its package name',
    covers: (path) => !isSandboxWorkspace(path),
    breaches: importing(isSandboxWorkspace),
    wrong: [
      ['local/a.ts', "import { createCloud } from '../packages/cloud-sandbox/src/cloud/cloud.ts';"],
      ['test/a.ts', "import { contract } from '../packages/cloud-sandbox/truth/contract.ts';"],
    ],
    fine: [['local/a.ts', "import { createCloud } from '@drover/cloud-sandbox';"]],
  },
  {
    sentence: 'the page and what serves it import nothing of the CLI',
    covers: isPage,
    breaches: importing(isCli),
    wrong: [
      ['ui/view/a.tsx', "import { shellWord } from '../../cli/shell-words.ts';"],
      ['ui/server/a.ts', "import type { Machine } from '../../cli/context.ts';"],
    ],
    fine: [['ui/view/a.tsx', "import { shellWord } from '../../shared/base/shell-words.ts';"]],
  },
  {
    sentence: 'the sandbox shares the page of an account through ui/server only',
    covers: isLocal,
    breaches: importing(isAccountDashboard),
    wrong: [['local/dashboard/a.ts', "import { nodeView } from '../../cli/ui/views/node.ts';"]],
    fine: [['local/dashboard/a.ts', "import { nodeView } from '../../ui/server/views/node.ts';"]],
  },
  {
    sentence: 'benches and scripts import nothing of the tests: the world that they share is local/world',
    covers: isBenchOrScript,
    breaches: importing(isTest),
    wrong: [
      [
        'scripts/bench/suites/a.ts',
        "import { createDroverWorld } from '../../../test/support/drover-world.ts';",
      ],
      ['scripts/a.ts', "import { runUi } from '../test/cli/ui/run-ui.ts';"],
    ],
    fine: [
      [
        'scripts/bench/suites/a.ts',
        "import { createDroverWorld } from '../../../local/world/drover-world.ts';",
      ],
    ],
  },
  {
    sentence: 'only the servers of the simulation listen on ports',
    covers: (path) => isSandbox(path) && !isServer(path),
    breaches: importing((target) => listeners.test(target)),
    wrong: [['packages/cloud-sandbox/src/aws/sqs/a.ts', "import { createServer } from 'node:http';"]],
    fine: [['packages/cloud-sandbox/src/aws/wire/a.ts', "import { createServer } from 'node:http';"]],
  },
];
