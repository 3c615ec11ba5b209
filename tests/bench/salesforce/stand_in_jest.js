// Stands in for Jest where no registry is reached: the parent begins a process for each test file
// and gives what comes back to the reporter; tests, checks and answers share the child's realm.
'use strict';
const { fork } = require('child_process');
const fs = require('fs');
const path = require('path');

function found(folder) {
    return fs.readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
        const place = path.join(folder, entry.name);
        if (entry.name === 'node_modules') return [];
        if (entry.isDirectory()) return found(place);
        return place.endsWith('.test.js') ? [place] : [];
    });
}

function one(file) {
    return new Promise((resolve) => {
        const child = fork(__filename, [file], { silent: true });
        let told = null;
        child.on('message', (message) => { told = told || message; });
        child.on('close', () => resolve({
            testFilePath: file,
            testExecError: told ? undefined : new Error('the process ended'),
            failureMessage: '',
            testResults: told || [],
        }));
    });
}

exports.run = async (words) => {
    const given = (name) => words.find((w) => w.startsWith(`--${name}=`)).split('=')[1];
    const pattern = new RegExp(words[words.indexOf('--testPathPattern') + 1]);
    const files = found(given('rootDir')).filter((file) => pattern.test(file));
    const testResults = await Promise.all(files.map(one));
    const isGood = (suite) =>
        suite.testResults.length && suite.testResults.every((t) => t.status === 'passed');
    const success = testResults.every(isGood);
    const Reporter = require(given('reporters'));
    new Reporter().onRunComplete(null, { success, testResults });
    process.exitCode = success ? 0 : 1;
};

if (require.main === module) {
    const tests = [];
    let prefix = '';
    const fail = (text) => { throw new Error(text); };
    global.describe = (name, body) => { prefix = `${name} `; body(); prefix = ''; };
    global.it = (title, body) => tests.push({ title, fullName: prefix + title, body });
    global.expect = (value) => ({
        toBe: (wanted) => value === wanted || fail(`expected ${wanted}, received ${value}`),
        not: { toBe: (wanted) => value !== wanted || fail(`expected other than ${wanted}`) },
    });
    require(process.argv[2]);
    process.send(tests.map(({ title, fullName, body }) => {
        try {
            body();
            return { title, fullName, status: 'passed', failureMessages: [] };
        } catch (error) {
            return { title, fullName, status: 'failed', failureMessages: [String(error)] };
        }
    }));
}
