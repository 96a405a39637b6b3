import { applyBench } from './apply.ts';
import { gitBench } from './git.ts';
import { renderBench } from './render.ts';

const benches: Readonly<Record<string, (args: readonly string[]) => Promise<void>>> = {
  apply: applyBench,
  git: gitBench,
  render: renderBench,
};

const [name = '', ...args] = process.argv.slice(2);
const bench = benches[name];
if (bench === undefined) {
  console.error(`Usage: npm run bench -- NAME\n\nNAME is one of: ${Object.keys(benches).join(', ')}`);
  process.exitCode = 3;
} else {
  await bench(args);
}
