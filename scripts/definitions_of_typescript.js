// Print what files define, as TypeScript's own parser sees it; measure_symbols.py compares.
//
// Run as `node definitions_of_typescript.js PATH/TO/typescript.js`, with a JSON object of texts by
// path on standard input. Printed is a JSON object of [name, kind, first line, last line] by path.
// Nothing of a text is executed.
"use strict";

const fs = require("node:fs");
const path = require("node:path");
const ts = require(path.resolve(process.argv[2]));

const S = ts.SyntaxKind;
const PLAIN = new Map([
  [S.ClassDeclaration, "class"],
  [S.InterfaceDeclaration, "interface"],
  [S.EnumDeclaration, "enum"],
  [S.EnumMember, "variant"],
  [S.TypeAliasDeclaration, "type"],
  [S.ModuleDeclaration, "namespace"],
  [S.GetAccessor, "property"],
  [S.SetAccessor, "property"],
  [S.MethodSignature, "method"],
  [S.ConstructSignature, "method"],
  [S.PropertySignature, "field"],
]);
const NO_NAMES = new Set(["prototype", "module", "exports", "this"]);

/** Return the name of a property or a module without its quotes or brackets. */
function plainName(node) {
  return node ? node.getText().replace(/^['"`[\]]+|['"`[\]]+$/g, "") : "";
}

/** Return the kind of what a name is given, if that is a function or a class. */
function givenKind(value, ofFunction) {
  if (!value) return "";
  if (ts.isArrowFunction(value) || ts.isFunctionExpression(value)) return ofFunction;
  return ts.isClassExpression(value) ? "class" : "";
}

function isAbstract(node) {
  return (ts.getModifiers(node) ?? []).some((one) => one.kind === S.AbstractKeyword);
}

/** Tell whether names that a statement declares belong to a file or a namespace. */
function isAtTop(declaration) {
  const statement = declaration.parent.parent;
  return (
    ts.isVariableStatement(statement) &&
    (ts.isSourceFile(statement.parent) || ts.isModuleBlock(statement.parent))
  );
}

/** Return the parts of `a.b.c` that name something, or nothing if it is no such path. */
function partsOf(node) {
  const parts = [];
  while (ts.isPropertyAccessExpression(node)) {
    parts.unshift(node.name.getText());
    node = node.expression;
  }
  const isPath = ts.isIdentifier(node) || node.kind === S.ThisKeyword;
  if (!isPath || parts.length < 1 || parts.length > 2) return [];
  parts.unshift(node.getText());
  const named = parts.filter((one) => !NO_NAMES.has(one));
  return named.length ? named : parts.slice(-1);
}

/** Return what `left = right` defines. */
function ofAssignment(node) {
  const parts = partsOf(node.left);
  const kind = givenKind(node.right, "function");
  if (!parts.length || !kind) return null;
  const isMember = parts.length > 1 || node.left.expression.kind === S.ThisKeyword;
  const whole = ts.isExpressionStatement(node.parent) ? node.parent : node;
  return { name: parts.join("."), kind: kind === "function" && isMember ? "method" : kind, whole };
}

/** Return what a variable, or the function or class that it is given, is known as. */
function ofVariable(node) {
  if (!ts.isIdentifier(node.name)) return null;
  const kind = givenKind(node.initializer, "function") || (isAtTop(node) ? "variable" : "");
  const isAlone = node.parent.declarations?.length === 1;
  const statement = node.parent.parent;
  const around = ts.isVariableStatement(statement) ? statement : node.parent;
  return kind ? { name: node.name.getText(), kind, whole: isAlone ? around : node } : null;
}

/** Return the name, kind and node of what a node defines, or null. */
function definitionOf(node) {
  if (ts.isVariableDeclaration(node)) return ofVariable(node);
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === S.EqualsToken)
    return ofAssignment(node);
  if (ts.isFunctionDeclaration(node))
    return named(node, node.body ? "function" : "overload", "default");
  if (ts.isConstructorDeclaration(node))
    return { name: "constructor", kind: node.body ? "constructor" : "overload", whole: node };
  if (ts.isMethodDeclaration(node))
    return named(node, node.body || isAbstract(node) ? "method" : "overload");
  if (ts.isPropertyDeclaration(node))
    return named(node, givenKind(node.initializer, "method") || "field");
  if (ts.isPropertyAssignment(node)) {
    const kind = givenKind(node.initializer, "method");
    return kind ? named(node, kind) : null;
  }
  if (ts.isExportAssignment(node)) {
    const kind = givenKind(node.expression, "function");
    return kind && !node.expression.name ? { name: "default", kind, whole: node } : null;
  }
  const kind = PLAIN.get(node.kind);
  if (kind === "namespace" && node.name.getText() === "global") return null;
  if (isOfNamelessType(node)) return null;
  return kind ? named(node, kind, node.kind === S.ConstructSignature ? "new" : "default") : null;
}

/** Tell if a member belongs to a type that is written where it is used. */
function isOfNamelessType(node) {
  const parent = node.parent;
  return (
    parent && ts.isTypeLiteralNode(parent) && !ts.isTypeAliasDeclaration(parent.parent)
  );
}

function named(node, kind, otherwise) {
  return { name: plainName(node.name) || otherwise, kind, whole: node };
}

/** Return the name that an object gives to what is in it, without being a definition. */
function lentName(node) {
  if (ts.isPropertyAssignment(node) && ts.isObjectLiteralExpression(node.initializer))
    return ts.isIdentifier(node.name) || ts.isStringLiteral(node.name) ? plainName(node.name) : "";
  const isPrototype =
    ts.isBinaryExpression(node) &&
    node.operatorToken.kind === S.EqualsToken &&
    ts.isObjectLiteralExpression(node.right) &&
    ts.isPropertyAccessExpression(node.left) &&
    node.left.name.getText() === "prototype" &&
    ts.isIdentifier(node.left.expression);
  return isPrototype ? node.left.expression.getText() : "";
}

/** Return what a file defines. */
function definitionsOf(name, text) {
  const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
  const found = [];
  const line = (place) => file.getLineAndCharacterOfPosition(place).line + 1;
  const visit = (node, prefix) => {
    const one = definitionOf(node);
    const inner = [prefix, one ? one.name : lentName(node)].filter(Boolean).join(".");
    if (one) found.push([inner, one.kind, line(one.whole.getStart(file)), line(one.whole.end - 1)]);
    ts.forEachChild(node, (child) => visit(child, inner));
  };
  ts.forEachChild(file, (child) => visit(child, ""));
  return { found, faults: file.parseDiagnostics.length };
}

const texts = JSON.parse(fs.readFileSync(0, "utf8"));
const answers = Object.entries(texts).map(([name, text]) => [name, definitionsOf(name, text)]);
process.stdout.write(JSON.stringify(Object.fromEntries(answers)));
