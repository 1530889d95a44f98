import { isCli, isProduct, isSandbox } from './places.ts';
import { type Rule, writing } from './rule.ts';

const environment = /\bprocess\.env\b/;
const clock = /Date\.now\(|\bnew Date\(\s*\)|\bperformance\.now\(|\bprocess\.hrtime\b/;
/** The time limit of a socket is not a wait. */
const waiting = /(?<!\bsocket\.)\bset(?:Timeout|Interval)\(|['"]node:timers[^'"]*['"]/;
const console = /\bconsole\.\w+/;

/** Taking chance from the machine; to call a `randomBytes` that was handed in is the very thing to do. */
const chance =
  /\bMath\.random\b|\bcrypto\.(?:random\w+|getRandomValues)|\{[^}]*\b(?:random\w+|getRandomValues|webcrypto)\b[^}]*\}\s*from\s*['"](?:node:)?crypto['"]/;

const wrongChance = [
  'const n = Math.random();',
  "import { randomBytes } from 'node:crypto';",
  "import { createHash, randomUUID as uuid } from 'crypto';",
  "import crypto from 'node:crypto'; crypto.randomInt(9);",
  'crypto.getRandomValues(new Uint8Array(1));',
];
const fineChance = [
  'const bytes = host.randomBytes(16);',
  'const { randomBytes } = world; randomBytes(1);',
  "import { createHash } from 'node:crypto';",
];
const wrongClock = ['Date.now();', 'const now = new Date();', 'performance.now();'];
const fineClock = ['new Date(now);', 'clock.now();'];
const at = (path: string, codes: readonly string[]) => codes.map((code) => [path, code] as const);

const realHost = 'shared/runtime/real-host.ts';

const productRules: readonly Rule[] = [
  {
    sentence: 'the product reads the environment in one place',
    covers: isProduct,
    except: [realHost],
    breaches: writing(environment),
    wrong: at('shared/aws/a.ts', ['const region = process.env.AWS_REGION;']),
  },
  {
    sentence: 'the product takes its time from the clock it is given',
    covers: isProduct,
    except: [realHost],
    breaches: writing(clock),
    wrong: at('shared/draining/a.ts', wrongClock),
    fine: at('shared/draining/a.ts', fineClock),
  },
  {
    sentence: 'the product takes chance from the host',
    covers: isProduct,
    except: [realHost],
    breaches: writing(chance),
    wrong: at('shared/credentials/a.ts', wrongChance),
    fine: at('shared/credentials/a.ts', fineChance),
  },
  {
    sentence: 'nothing sleeps in a Lambda; the only timers are those of the host’s clock',
    covers: isProduct,
    except: [realHost],
    breaches: writing(waiting),
    wrong: at('functions/a.ts', [
      'setTimeout(go, 5);',
      "import { setTimeout as pause } from 'node:timers/promises';",
    ]),
    fine: at('shared/net/a.ts', ['socket.setTimeout(5000, end);']),
  },
  {
    sentence: 'the product leaves the console to the host',
    covers: isProduct,
    breaches: writing(console),
    wrong: at('shared/groups/a.ts', ['console.log(1);']),
  },
];

/** Real programs run by the clock of the machine. */
const inRealWorld = (names: readonly string[]): readonly string[] =>
  names.map((name) => `local/real-world/${name}.ts`);
const measuring = inRealWorld(['etcd/writer', 'roll/prove', 'roll/roll-world', 'roll/watch-endpoints']);
const waitingForReal = inRealWorld([
  'etcd/watch-quorum',
  'etcd/writer',
  'roll/roll-world',
  'roll/trials/abort',
  'roll/trials/canary',
  'roll/trials/stage',
  'roll/trials/trials',
  'roll/watch-endpoints',
]);

const sandboxRules: readonly Rule[] = [
  {
    sentence:
      'the simulation takes its time from its own clock; entries measure their start, and proofs with real programs their time',
    covers: isSandbox,
    except: [
      'local/main.ts',
      'local/real-world/main.ts',
      'local/real-world/stacked/prove.ts',
      ...measuring,
      'packages/cloud-sandbox/src/simulation/real-clock.ts',
      'packages/cloud-sandbox/src/lambda/worker/simulated-date.ts',
    ],
    breaches: writing(clock),
    wrong: at('packages/cloud-sandbox/src/aws/a.ts', wrongClock),
    fine: at('packages/cloud-sandbox/src/aws/a.ts', fineClock),
  },
  {
    sentence: 'the simulation takes chance from its seed; only keys and secrets come from the machine',
    covers: isSandbox,
    except: [
      'local/real-world/account.ts',
      'local/world/certificates/requests.ts',
      'packages/cloud-sandbox/src/wire/open-sandbox.ts',
      'packages/cloud-sandbox/src/kubernetes/wire/certificates.ts',
    ],
    breaches: writing(chance),
    wrong: at('packages/cloud-sandbox/src/aws/a.ts', wrongChance),
    fine: at('packages/cloud-sandbox/src/aws/a.ts', fineChance),
  },
  {
    sentence:
      'the simulation waits by its own clock; only its servers and real programs have timers of the machine',
    covers: isSandbox,
    except: [
      'packages/cloud-sandbox/src/simulation/real-clock.ts',
      'local/dashboard/repeat.ts',
      'local/real-world/stacked/prove.ts',
      'local/real-world/stacked/world.ts',
      ...waitingForReal,
    ],
    breaches: writing(waiting),
    wrong: at('packages/cloud-sandbox/src/kubernetes/a.ts', ['setInterval(go, 5);']),
    fine: at('packages/cloud-sandbox/src/kubernetes/a.ts', ['clock.after(5, go);']),
  },
  {
    sentence: 'the simulation reads no environment; the real world hands it on to the CLI',
    covers: isSandbox,
    except: ['local/real-world/terminal.ts'],
    breaches: writing(environment),
    wrong: at('packages/cloud-sandbox/src/aws/a.ts', ['process.env.SEED']),
  },
];

const cliRules: readonly Rule[] = [
  {
    sentence: 'the CLI meets time and chance of the machine in two places; keys are made in a third',
    covers: isCli,
    except: ['cli/context.ts', 'cli/host.ts', 'cli/pki/key-pair.ts'],
    breaches: writing(new RegExp(`${clock.source}|${waiting.source}|${chance.source}`)),
    wrong: at('cli/drain/a.ts', [...wrongClock, ...wrongChance]),
    fine: at('cli/drain/a.ts', [...fineClock, ...fineChance]),
  },
  {
    sentence: 'the CLI reads the environment in one place, and hands it on to programs in another',
    covers: isCli,
    except: ['cli/context.ts', 'cli/run-program.ts'],
    breaches: writing(environment),
    wrong: at('cli/drain/a.ts', ['process.env.HOME']),
  },
];

/** What comes from outside is injected: environment, time, chance, waiting and the console. */
export const injectionRules: readonly Rule[] = [...productRules, ...sandboxRules, ...cliRules];
