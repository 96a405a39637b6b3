import { openStateStore } from '../../../src/store/state-store.ts';

/**
 * A process of its own that opens the state of a folder, writes a hundred baselines and an approval at a time, and
 * says how many times it has: `count` times, or until it is killed.
 */
const [stateDir = '', name = '', count = 'Infinity'] = process.argv.slice(2);
const store = openStateStore(stateDir, { onSetAside: (file) => process.stdout.write(`set aside ${file}\n`) });
for (let turn = 1; turn <= Number(count); turn += 1) {
  const baselines = Array.from({ length: 100 }, (_, index) => ({
    ref: { apiVersion: 'v1', kind: 'ConfigMap', namespace: name, name: `cm-${turn}-${index}` },
    uid: `uid-${turn}-${index}`,
    desiredHash: 'h1',
    ownership: 'o1',
    additions: '',
  }));
  store.saveBaselines('berlin', baselines, []);
  store.approve(`${name}-${turn}`, { cluster: 'berlin', by: 'ada', at: '2026-05-01T12:00:00.000Z' });
  process.stdout.write(`${turn}\n`);
}
store.close();
